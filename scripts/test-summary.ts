import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node';

/** How many of the slowest files are named. */
const count = 12;
/** For scripts/test: `PASSED FAILED SKIPPED`. */
const countsFile = '.cache/test/vitest.txt';

/**
 * A reporter of vitest’s: at the end, the files that took longest, and what was skipped, by reason. In CI it fails a
 * test that was skipped for a part that set-up fetches: its reason begins with `missing: `.
 */
// biome-ignore lint/style/noDefaultExport: vitest finds a reporter by it
export default class TestSummary implements Reporter {
  onTestRunEnd(files: readonly TestModule[], errors: readonly SerializedError[]): void {
    const tests = files.flatMap((file) => [...file.children.allTests()]);
    const having = (state: string) => tests.filter((test) => test.result().state === state);
    const [failed, skipped] = [having('failed').length, [...having('skipped'), ...having('pending')]];
    const reasons = Map.groupBy(skipped, reasonOf);
    const missing = process.env['CI'] === 'true' ? [...reasons.keys()].filter(isMissing) : [];
    // A file may fail outside its tests, and so may the run.
    const broken = files.filter((file) => !file.ok() && [...file.children.allTests('failed')].length === 0);
    const failures = failed + broken.length + errors.length + missing.length;
    console.log(lines('The slowest files:', slowest(files)));
    const byCount = [...reasons].map(([reason, { length }]) => [length, reason] as const);
    console.log(lines('Skipped:', byCount.sort(([one], [other]) => other - one).map(line)));
    if (missing.length > 0) {
      console.log('\nSkipped in CI, though ./scripts/setup.sh test fetches it: a failure');
      process.exitCode = 1;
    }
    mkdirSync(dirname(countsFile), { recursive: true });
    writeFileSync(countsFile, `${having('passed').length} ${failures} ${skipped.length}\n`);
  }
}

const isMissing = (reason: string) => reason.startsWith('missing: ');

const line = ([length, what]: readonly [number, string]) => `${length.toString().padStart(5)}  ${what}`;

const lines = (title: string, each: readonly string[]) =>
  each.length === 0 ? '' : `\n${title}\n${each.join('\n')}`;

/** What `unless` (test/support/unless.ts) or `context.skip` said of the test, or of a suite around it. */
function reasonOf(test: TestCase): string {
  const result = test.result();
  if ('note' in result && result.note) {
    return result.note;
  }
  let each: TestCase | TestSuite | TestModule = test;
  while (each.type !== 'module') {
    const { why } = each.meta() as { why?: string | null };
    if (why) {
      return why;
    }
    each = each.parent;
  }
  return 'of another system or user';
}

function slowest(files: readonly TestModule[]): string[] {
  return files
    .map((file) => {
      const { collectDuration, duration } = file.diagnostic();
      return [
        Math.round((collectDuration + duration) / 1000),
        relative(process.cwd(), file.moduleId),
      ] as const;
    })
    .sort(([one], [other]) => other - one)
    .slice(0, count)
    .map(([seconds, name]) => line([seconds, `s  ${name}`]));
}
