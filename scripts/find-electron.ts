import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const names: Readonly<Record<string, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

/**
 * Electron's binary on this machine: in the folder that ELECTRON_OVERRIDE_DIST_PATH names, as Electron itself has it,
 * else where Electron's own install puts it. Null: there is none. Downloads nothing.
 */
export function findElectron(root: string, env: NodeJS.ProcessEnv): string | null {
  const electron = join(root, 'node_modules', 'electron');
  const name = names[process.platform] ?? 'electron';
  const own = join(electron, 'path.txt');
  const found = env['ELECTRON_OVERRIDE_DIST_PATH']
    ? join(env['ELECTRON_OVERRIDE_DIST_PATH'], name)
    : join(electron, 'dist', existsSync(own) ? readFileSync(own, 'utf8').trim() : name);
  return existsSync(found) ? found : null;
}
