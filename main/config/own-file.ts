import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writeError, writeFresh } from './write-durably.ts';

/**
 * Replaces one of Lanyard’s own files atomically and durably, always by a new file with `mode`. An existing link is
 * replaced, never followed: it could point to any of the user’s files. Throws BrokerError `file.write` where the system
 * refuses; then nothing has changed.
 */
export async function writeOwnFile(
  file: string,
  text: string | Uint8Array,
  options: { mode: number; temporaryName?: string },
): Promise<void> {
  try {
    await writeFresh(join(await realpath(dirname(file)), basename(file)), text, options);
  } catch (error) {
    throw writeError(file, error);
  }
}

/** The file’s bytes; null where it is missing, a symbolic link, or unreadable. */
export async function readOwnFile(file: string): Promise<Buffer | null> {
  try {
    const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    return await handle.readFile().finally(() => handle.close());
  } catch {
    return null;
  }
}
