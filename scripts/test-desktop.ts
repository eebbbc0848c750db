import { desktopSpecs, runOnDesktop } from './desktop-specs.ts';

/**
 * `npm run test:desktop [-- SPEC…]`: the UI's specs on the desktop app's own carrier: its built code on the stand-in for
 * Electron, its window in Chromium. All of them, or those named: `settings`, `login`.
 */
const names = process.argv.slice(2);
const specs = desktopSpecs();
const wanted = names.length === 0 ? specs : names.map((name) => `test/e2e/${name}.test.ts`);
const strange = wanted.filter((path) => !specs.includes(path));
if (strange.length > 0) {
  console.error(`not a spec of the app: ${strange.join(', ')}`);
  process.exit(2);
}
process.exit(runOnDesktop('Specs in the desktop app’s window', 'stand-in', wanted));
