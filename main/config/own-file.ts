import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writeError, writeFresh } from './write-durably.ts';

/**
 * Puts `text` in the place of a file of Lanyard's own as a whole and durably: always as a new file with `mode`. A link
 * that is there is replaced, never followed: it could lead the writing to any file of the person's. Throws BrokerError
 * `file.write` where the system refuses, and then nothing has changed.
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

/** What is in it; null where it is missing, a link, or can't be read. */
export async function readOwnFile(file: string): Promise<Buffer | null> {
  try {
    const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    return await handle.readFile().finally(() => handle.close());
  } catch {
    return null;
  }
}
