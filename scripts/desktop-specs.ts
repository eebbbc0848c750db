import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countReport, type Report } from './test-counts.ts';

/** Where the specs are, and all else. */
export const repository = dirname(dirname(fileURLToPath(import.meta.url)));

const inChromium = 'looks at invented data in Chromium: nothing of it crosses a carrier';

/** Specs of test/e2e that aren't the app's: each with what holds the same for it. */
const ofTheBrowser: Readonly<Record<string, string>> = {
  'another-port': 'of the loopback listener: the app has none unless lanyard ui asks for it',
  approvals: 'the app asks in dialogs of its own: test/app/dialogs',
  desktop: 'holds the stand-in’s window itself',
  'first-start': 'made in windows of the system’s browser: the app has dialogs',
  reconnect: 'the app’s window ends with its broker',
  'dev-server': 'of the development server',
  gone: inChromium,
  sizes: inChromium,
  strips: inChromium,
  sweep: inChromium,
  'window-attacks': 'of windows in the system’s browser',
};

/** The UI's specs that hold for the desktop app, as paths; prints which are left out, and why. */
export function desktopSpecs(): string[] {
  for (const [name, why] of Object.entries(ofTheBrowser)) {
    console.log(`left out: ${name} (${why})`);
  }
  return readdirSync(join(repository, 'test', 'e2e'))
    .filter((name) => name.endsWith('.test.ts') && !Object.hasOwn(ofTheBrowser, name.replace('.test.ts', '')))
    .map((name) => `test/e2e/${name}`);
}

/**
 * Runs specs on the app: on a real Electron, or its built code on the stand-in with its window in Chromium. Prints their
 * counts in the last line, `NAME: 5 passed, …`, and gives the exit code.
 */
export function runOnDesktop(name: string, way: 'electron' | 'stand-in', specs: readonly string[]): number {
  const work = mkdtempSync(join(tmpdir(), 'lanyard-specs-'));
  const file = join(work, 'report.json');
  try {
    const { status } = spawnSync(
      join(repository, 'node_modules', '.bin', process.platform === 'win32' ? 'vitest.cmd' : 'vitest'),
      [
        ...['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
        // Its user may not be able to write here.
        ...(way === 'electron' ? ['--configLoader=runner'] : []),
        ...specs,
      ],
      {
        cwd: repository,
        env: {
          ...process.env,
          LANYARD_E2E: way,
          // One Electron at a time: a machine has one screen. The variable counts before the option.
          ...(way === 'electron' && { VITEST_MAX_WORKERS: '1' }),
        },
        stdio: 'inherit',
        shell: process.platform === 'win32',
      },
    );
    const code = status ?? 1;
    const { passed, failed, skipped } = existsSync(file)
      ? countReport(JSON.parse(readFileSync(file, 'utf8')) as Report, code)
      : { passed: 0, failed: 1, skipped: 0 };
    console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
    return failed === 0 ? code : 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
