import { randomBytes } from 'node:crypto';
import { mkdir, readdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A terminal that a person left open for longer gets “no such file” from kubectl, never another cluster. */
const keptMilliseconds = 30 * 86_400_000;

export interface TerminalKubeconfigDeps {
  /** In the home, which is its owner’s alone. */
  folder: string;
  clock: { now(): number };
}

/**
 * Writes the kubeconfig of one terminal: of its owner alone, without secrets, complete, so that where it is gone no
 * other file answers in its place. Removes what terminals of long ago left. Returns its absolute path.
 */
export async function writeTerminalKubeconfig(
  text: string,
  { folder, clock }: TerminalKubeconfigDeps,
): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeOld(folder, clock.now() - keptMilliseconds);
  const file = join(folder, `${randomBytes(8).toString('hex')}.yaml`);
  await writeFile(file, text, { flag: 'wx', mode: 0o600 });
  return file;
}

async function removeOld(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    // A terminal that ends at this moment removes its own.
    const last = await stat(file).catch(() => null);
    if (last !== null && last.mtimeMs < before) {
      await unlink(file).catch(() => undefined);
    }
  }
}
