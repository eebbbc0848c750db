import { spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * Has Electron's own install fetch its binary, which no npm package ships: from outside the registry, held against the
 * sums in the package that the lock file pins. Null where it is there now, else why not, in a clause.
 */
export function fetchElectronBinary(
  root: string,
  env: NodeJS.ProcessEnv,
  limitMilliseconds: number,
): Promise<string | null> {
  return new Promise((resolve) => {
    const install = spawn(process.execPath, [join(root, 'node_modules', 'electron', 'install.js')], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    install.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, 4096);
    });
    const limit = setTimeout(() => {
      said = `nothing came in ${limitMilliseconds / 1000} s`;
      install.kill('SIGKILL');
    }, limitMilliseconds);
    install.on('error', ({ message }) => settle(message));
    install.on('close', (code) => settle(code === 0 ? null : firstLine(said)));
    const settle = (why: string | null) => {
      clearTimeout(limit);
      resolve(why);
    };
  });
}

/** Of a stack. */
function firstLine(text: string): string {
  const line = text.split('\n').find((each) => each.trim() !== '') ?? 'its install failed';
  return line.replace(/^\w*Error: /, '').slice(0, 200);
}
