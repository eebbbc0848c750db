import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isHeld } from '../base/until-free.ts';
import { readOwnFile, writeOwnFile } from '../config/own-file.ts';
import { type PlaceProgramOptions, placeProgram, removeAside } from '../installed/place-program.ts';
import { placeProviders } from '../installed/provider-links.ts';
import type { Log } from '../ports/log.ts';

/**
 * Puts the helper to its stable place, `bin/lanyard` under the home, which kubeconfigs name: app bundles and
 * mounts move. Replaces an older one in one step; leaves an equal one alone. Its names for a kubelet come with it.
 */
export async function placeHelper(
  from: string,
  to: string,
  { log, ...options }: PlaceProgramOptions & { log: Log },
): Promise<void> {
  const { platform = process.platform } = options;
  await removeAside(dirname(to));
  try {
    await placeProgram(await readFile(from), to, options);
    await placeProviders(to, options);
  } catch (error) {
    if (!isHeld(error, platform)) {
      throw error;
    }
    // An antivirus or a running one holds it. The older one serves on, and the next start tries again.
    log.warn('helper.kept', { helper: to, error });
  }
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
