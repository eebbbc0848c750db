import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findElectron } from './find-electron.ts';

/**
 * `npm run test:electron`: the UI's specs with the desktop app on a real Electron, through Playwright's driver, and those
 * that look at Electron itself (test/electron). Exits with 0, and says why, where there is no binary.
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Specs of test/e2e that aren't the app's: each with what holds the same for it. */
const ofTheBrowser: Readonly<Record<string, string>> = {
  'another-port': 'of the loopback listener: the app has none unless lanyard ui asks for it',
  approvals: 'the app asks in dialogs of its own: test/app/dialogs',
  desktop: 'the stand-in’s',
  'first-start': 'made in windows of the system’s browser: the app has dialogs',
  import: 'opens browsers of its own',
  reconnect: 'the app’s window ends with its broker',
  shell: 'kills the broker under the page',
  sweep: 'looks at invented data in Chromium: nothing of it crosses a carrier',
  'window-attacks': 'of windows in the system’s browser',
};

const electron = findElectron(root, process.env);
if (electron === null) {
  console.log(
    'Electron specs: skipped, since Electron’s binary is not here (ELECTRON_OVERRIDE_DIST_PATH names a folder with one)',
  );
  process.exit(0);
}
const specs = readdirSync(join(root, 'test', 'e2e'))
  .filter((name) => name.endsWith('.test.ts') && !Object.hasOwn(ofTheBrowser, name.replace('.test.ts', '')))
  .map((name) => `test/e2e/${name}`);
for (const [name, why] of Object.entries(ofTheBrowser)) {
  console.log(`not on Electron: ${name} (${why})`);
}
const { status } = spawnSync(
  join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'vitest.cmd' : 'vitest'),
  // One at a time: each has a whole Electron, and a machine has one screen.
  ['run', '--maxWorkers=1', 'test/electron/', ...specs, ...process.argv.slice(2)],
  {
    cwd: root,
    env: { ...process.env, LANYARD_E2E: 'electron' },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  },
);
process.exit(status ?? 1);
