import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { oneAtATime } from './one-at-a-time.ts';

const cache = join(import.meta.dirname, '..', '..', '.cache', 'clients');
const installLimitMilliseconds = 1_800_000;

/**
 * A folder with a Python of its own (venv) that holds what the file `requirements` pins; kept from one run to the
 * next. Rejects where Python, venv, pip or its index is not to be had.
 */
export function pythonFolder(name: string, requirements: string): Promise<string> {
  return madeFolder(name, requirements, async (folder) => {
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', ...quietly, '-r', requirements]);
  });
}

/**
 * A folder that holds what a Python script unpacks out of the one package that the file `requirements` pins, without
 * what that package needs; kept from one run to the next. The script's words: the package's file, the folder.
 */
export function unpackedPackage(name: string, requirements: string, script: string): Promise<string> {
  return madeFolder(name, requirements, async (folder) => {
    const fetched = `${folder}.fetched`;
    rmSync(fetched, { recursive: true, force: true });
    const words = ['download', ...quietly, '--no-deps', '-d', fetched, '-r', requirements];
    await run('python3', ['-m', 'pip', ...words]);
    const [file = ''] = readdirSync(fetched);
    await run('python3', [script, join(fetched, file), folder]);
    rmSync(fetched, { recursive: true });
  });
}

const quietly = ['--quiet', '--retries', '1'];

function run(program: string, args: readonly string[]): Promise<unknown> {
  return promisify(execFile)(program, args, { timeout: installLimitMilliseconds });
}

/** Where it is of other requirements, or was left half done, `make` makes it anew. */
function madeFolder(
  name: string,
  requirements: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cache, name);
  return oneAtATime(`${folder}.lock`, async () => {
    const done = join(folder, 'requirements.txt');
    const wanted = readFileSync(requirements, 'utf8');
    if (!existsSync(done) || readFileSync(done, 'utf8') !== wanted) {
      rmSync(folder, { recursive: true, force: true });
      await make(folder);
      writeFileSync(done, wanted);
    }
    return folder;
  });
}
