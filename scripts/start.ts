import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findElectron } from './find-electron.ts';

/** `npm start`: the app, from what was built here. */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const electron = findElectron(root, process.env);
if (electron === null) {
  console.error(
    'Electron’s binary is not here: run “dist/bin/lanyard agent” in one terminal, and “dist/bin/lanyard ui” in another.',
  );
  process.exit(1);
}
const child = spawn(electron, [root, ...process.argv.slice(2)], { stdio: 'inherit' });
child.on('exit', (code) => process.exit(code ?? 1));
