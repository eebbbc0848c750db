import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isHeld } from '../base/until-free.ts';
import { readOwnFile, writeOwnFile } from '../config/own-file.ts';

export interface PlaceProgramOptions {
  platform?: string;
  /** Tests make it fail. */
  files?: { rename(from: string, to: string): Promise<void>; unlink(path: string): Promise<void> };
}

const asideEnd = /\.old-[0-9a-f]{8}$/;

/**
 * Puts a program to its place in one step; leaves an equal one alone. Windows replaces no program that runs, but gives
 * it another name: it stays beside the new one until `removeAside`. Throws BrokerError `file.write`, or Node’s error;
 * then the old one is in its place.
 */
export async function placeProgram(
  content: Buffer,
  path: string,
  { platform = process.platform, files = { rename, unlink } }: PlaceProgramOptions = {},
): Promise<void> {
  if ((await readOwnFile(path))?.equals(content)) {
    return;
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (platform !== 'win32') {
    await writeOwnFile(path, content, { mode: 0o755 });
    return;
  }
  const next = `${path}.new`;
  await writeOwnFile(next, content, { mode: 0o755 });
  try {
    await replaceRunning(next, path, { platform, files });
  } catch (error) {
    await files.unlink(next).catch(() => undefined);
    throw error;
  }
}

/**
 * Renames `next` to the program’s path. Where that runs, it first gets another name, which `beforeAside` is told before.
 * Throws Node’s error; then both are as they were. Returns the name of a program that runs on; null: there is none.
 */
export async function replaceRunning(
  next: string,
  path: string,
  {
    platform = process.platform,
    files = { rename, unlink },
    beforeAside,
  }: PlaceProgramOptions & { beforeAside?: (aside: string) => Promise<void> } = {},
): Promise<string | null> {
  try {
    await files.rename(next, path);
    return null;
  } catch (error) {
    if (!isHeld(error, platform)) {
      throw error;
    }
  }
  const aside = asideOf(path);
  await beforeAside?.(aside);
  await files.rename(path, aside);
  try {
    await files.rename(next, path);
  } catch (error) {
    await files.rename(aside, path).catch(() => undefined);
    throw error;
  }
  return files.unlink(aside).then(
    () => null,
    () => aside,
  );
}

/** A name beside the program that nothing has, and that no shell runs. */
export function asideOf(path: string): string {
  return `${path}.old-${randomBytes(4).toString('hex')}`;
}

/** Whether it is the name of a program that was put aside. */
export function isAside(path: string): boolean {
  return asideEnd.test(path);
}

/** Removes the programs that were put aside in the folder, and run no more. Returns those that stay. */
export async function removeAside(
  folder: string,
  { files = { rename, unlink } }: Pick<PlaceProgramOptions, 'files'> = {},
): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const aside = names.filter(isAside).map((name) => join(folder, name));
  const gone = await Promise.all(
    aside.map((path) =>
      files.unlink(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return aside.filter((_, index) => !gone[index]);
}
