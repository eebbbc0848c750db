import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(import.meta.dirname, '..', '..', '.cache');

/**
 * A folder for what a test makes once and keeps: `.cache/NAME`. For a user who can't write there, as root's tests of the
 * app run as, one in their home.
 */
export function cacheFolder(name: string): string {
  const isOwn = !existsSync(cache) || statSync(cache).uid === process.getuid?.();
  return isOwn ? join(cache, name) : join(homedir(), '.cache', 'lanyard-tests', name);
}
