import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeDurably } from './config/write-durably.ts';

/**
 * Puts the helper to its stable place, `bin/lanyard` under the home, which kubeconfigs name: app bundles and
 * mounts move. Replaces an older one in one step; leaves an equal one alone.
 */
export async function installHelper(from: string, to: string): Promise<void> {
  const [wanted, present] = await Promise.all([readFile(from), readFile(to).catch(() => null)]);
  if (present?.equals(wanted)) {
    return;
  }
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await writeDurably(to, wanted, { mode: 0o755 });
}

/** Absolute paths with their arguments. */
export interface StartCommands {
  /**
   * The broker without windows, and without a display: the words of `lanyard agent` come after it. Older helpers know
   * this one alone.
   */
  command: readonly string[];
  /** The desktop app with the broker in it, hidden: what a helper starts by itself where there is a desktop. */
  desktop?: readonly string[];
}

/** Tells the helper how to start the broker where none runs. */
export async function writeStartFile(path: string, commands: StartCommands): Promise<void> {
  const text = `${JSON.stringify({ version: 1, ...commands })}\n`;
  if ((await readFile(path, 'utf8').catch(() => null)) !== text) {
    await writeDurably(path, text, { mode: 0o600 });
  }
}
