import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cargoHome } from './cargo.ts';
import { layoutOf, unpackedApps } from './package/layout.ts';
import { checkRelease } from './package/release-checks.ts';
import { standInMark } from './package/stand-in-electron.ts';

/**
 * `npm run check:release [-- FOLDER…]`: reads back what was packaged. Without a folder it looks at all that
 * electron-builder left, and says so where there is nothing with a real Electron; a folder that is named has to be one.
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const named = process.argv.slice(2);
const folders = named.length > 0 ? named : unpackedApps(join(root, 'dist', 'installers'));
let looked = 0;
let failed = false;
for (const folder of folders) {
  const layout = layoutOf(folder);
  const isStandIn =
    layout !== null && layout.platform === 'linux' && readFileSync(layout.electron).includes(standInMark);
  if (layout === null || isStandIn) {
    console.log(
      `${folder}: ${layout === null ? 'no packaged app' : 'a stand-in of Electron: not looked at'}`,
    );
    failed ||= named.length > 0;
    continue;
  }
  looked += 1;
  console.log(folder);
  const host = {
    platform: process.platform,
    architecture: process.arch,
    folders: [root, cargoHome(process.env)],
  };
  for (const { what, wrong } of await checkRelease(layout, host)) {
    console.log(wrong === null ? `  ✓ ${what}` : `  ✗ ${what}: ${wrong}`);
    failed ||= wrong !== null;
  }
}
if (looked === 0 && !failed) {
  console.log('The release check did not run: there is no app with a real Electron under dist/installers.');
}
process.exitCode = failed ? 1 : 0;
