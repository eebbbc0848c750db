import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const cache = join(import.meta.dirname, '..', '..', '.cache', 'clients');
const installLimitMilliseconds = 300_000;

/**
 * A folder with a Python of its own (venv) that holds what the file `requirements` pins; kept from one run to the
 * next. Rejects where Python, venv, pip or its index is not to be had.
 */
export async function pythonFolder(name: string, requirements: string): Promise<string> {
  const folder = join(cache, name);
  const done = join(folder, 'requirements.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (!existsSync(done) || readFileSync(done, 'utf8') !== wanted) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true });
    const run = (program: string, args: string[]) =>
      promisify(execFile)(program, args, { timeout: installLimitMilliseconds });
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin', 'python'), [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--retries',
      '1',
      '-r',
      requirements,
    ]);
    writeFileSync(done, wanted);
  }
  return folder;
}
