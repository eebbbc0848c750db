import { desktopSpecs, repository, runOnDesktop } from './desktop-specs.ts';
import { findElectron } from './find-electron.ts';

/**
 * `npm run test:electron`: the UI's specs with the desktop app on a real Electron, through Playwright's driver, and those
 * that look at Electron itself (test/electron). Exits with 0, and says why, where there is no binary.
 */
if (findElectron(repository, process.env) === null) {
  console.log(
    'Electron specs: skipped, since Electron’s binary is not here (ELECTRON_OVERRIDE_DIST_PATH names a folder with one)',
  );
  process.exit(0);
}
process.exit(
  runOnDesktop('electron', ['test/electron/', ...desktopSpecs('electron'), ...process.argv.slice(2)]),
);
