/** What vitest’s JSON reporter writes, as far as it counts here. */
export interface Report {
  /** One for each file, by its whole path, and for each project that runs it. */
  testResults: readonly {
    name: string;
    /** `failed` also where the file couldn’t be loaded, or a hook outside its tests failed. */
    status: string;
    assertionResults: readonly { status: string }[];
  }[];
}

export interface Counts {
  passed: number;
  /** A file that failed without a failed test counts as one. */
  failed: number;
  skipped: number;
}

/**
 * The counts of a run, and of a second run of its failed files alone, null where there was none. A file whose second run
 * proves that all of it passes is flaky, and counts as in that run; any other counts as in the first.
 */
export function countRuns(first: Report, again: Report | null): Counts & { flaky: string[] } {
  const second = again === null ? new Map<string, Counts>() : byFile(again);
  const total = { passed: 0, failed: 0, skipped: 0, flaky: [] as string[] };
  for (const [name, before] of byFile(first)) {
    const after = second.get(name);
    const isFlaky = after !== undefined && isProven(before, after);
    const counts = isFlaky ? after : before;
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
    if (isFlaky) {
      total.flaky.push(name);
    }
  }
  return total;
}

interface FileCounts extends Counts {
  /** It failed outside its tests: what it skipped then, it might have run. */
  isBroken: boolean;
}

/** Each test that the first run ran or should have run has passed now. A test that is skipped now proves nothing. */
function isProven(before: FileCounts, after: Counts): boolean {
  const wanted = before.isBroken
    ? { passed: Math.max(1, before.passed + before.skipped), skipped: 0 }
    : { passed: before.passed + before.failed, skipped: before.skipped };
  return (
    before.failed > 0 &&
    after.failed === 0 &&
    after.passed >= wanted.passed &&
    after.skipped <= wanted.skipped
  );
}

function byFile({ testResults }: Report): Map<string, FileCounts> {
  const files = new Map<string, FileCounts>();
  for (const { name, status, assertionResults } of testResults) {
    const known = files.get(name) ?? { passed: 0, failed: 0, skipped: 0, isBroken: false };
    const having = (wanted: string) => assertionResults.filter((each) => each.status === wanted).length;
    const [passed, failed] = [having('passed'), having('failed')];
    const isBroken = status === 'failed' && failed === 0;
    files.set(name, {
      passed: known.passed + passed,
      failed: known.failed + (isBroken ? 1 : failed),
      skipped: known.skipped + assertionResults.length - passed - failed,
      isBroken: known.isBroken || isBroken,
    });
  }
  return files;
}

/** The counts in what a program of Rust’s tests printed. One that failed without a failed test counts as one. */
export function countLibtest(output: string, code: number): Counts {
  const lines = [...output.matchAll(/^test result: .* (\d+) passed; (\d+) failed; (\d+) ignored;/gm)];
  const sum = (part: number) => lines.reduce((total, line) => total + Number(line[part]), 0);
  const failed = sum(2);
  return { passed: sum(1), failed: code !== 0 && failed === 0 ? 1 : failed, skipped: sum(3) };
}
