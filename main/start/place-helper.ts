import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readOwnFile, writeOwnFile } from '../config/own-file.ts';

/**
 * Puts the helper to its stable place, `bin/lanyard` under the home, which kubeconfigs name: app bundles and
 * mounts move. Replaces an older one in one step; leaves an equal one alone.
 */
export async function placeHelper(from: string, to: string): Promise<void> {
  const [wanted, present] = await Promise.all([readFile(from), readOwnFile(to)]);
  if (present?.equals(wanted)) {
    return;
  }
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await writeOwnFile(to, wanted, { mode: 0o755 });
}

/** Absolute paths with their arguments. */
export interface StartCommands {
  /**
   * The broker without windows, and without a display: the words of `lanyard agent` come after it. Older helpers know
   * this one alone.
   */
  command: readonly string[];
  /** The hidden desktop app with the broker in it: what a helper starts where there is a desktop. */
  desktop?: readonly string[];
}

/**
 * Tells the helper how to start the broker where none runs. `passphraseFile`: the one that this broker was started with;
 * the broker without windows is then started with the same.
 */
export async function writeStartFile(
  path: string,
  commands: StartCommands & { passphraseFile?: string | undefined },
): Promise<void> {
  const text = `${JSON.stringify({ version: 1, ...commands })}\n`;
  if ((await readOwnFile(path))?.toString('utf8') !== text) {
    await writeOwnFile(path, text, { mode: 0o600 });
  }
}
