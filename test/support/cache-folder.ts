import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(import.meta.dirname, '..', '..', '.cache');

/**
 * A folder for what a test makes once and keeps: `.cache/NAME`. For a user who can't write there, as root's tests of the
 * app run as, one in their home.
 */
export function cacheFolder(name: string): string {
  const folder = join(cache, name);
  return isWritable(existsSync(folder) ? folder : cache)
    ? folder
    : join(homedir(), '.cache', 'lanyard-tests', name);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    // Not made yet, either.
    return !existsSync(folder);
  }
}
