import { readdir, readFile, readlink, rename, symlink, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { untilFree } from '../base/until-free.ts';
import { firstProviderName, isProviderName, providerFile } from '../contract/program-names.ts';
import { type PlaceProgramOptions, placeProgram } from './place-program.ts';

/**
 * Puts one of the helper’s names for a kubelet beside it, as a link: its folder is the one that a kubelet is told as
 * `--image-credential-provider-bin-dir` (KEP-2133). A file of another kind there is replaced, as the helper’s is. On
 * Windows, where links need a privilege, it is a copy, NAME.exe.
 */
export async function placeProvider(
  helper: string,
  name: string,
  options: PlaceProgramOptions = {},
): Promise<void> {
  const { platform = process.platform } = options;
  const path = join(dirname(helper), providerFile(name, platform));
  if (platform === 'win32') {
    await placeProgram(await readFile(helper), path, options);
    return;
  }
  const target = basename(helper);
  if ((await readlink(path).catch(() => null)) === target) {
    return;
  }
  const next = `${path}.next`;
  await unlink(next).catch(() => undefined);
  await symlink(target, next);
  await rename(next, path);
}

/** The first name, and on Windows all that are there: copies are as old as they are. */
export async function placeProviders(helper: string, options: PlaceProgramOptions = {}): Promise<void> {
  const { platform = process.platform } = options;
  const there = platform === 'win32' ? await providerNames(dirname(helper), platform) : [];
  for (const name of new Set([firstProviderName, ...there])) {
    await placeProvider(helper, name, options);
  }
}

/** Removes all of them. What can’t be removed stays. */
export async function removeProviders(helper: string, platform: string = process.platform): Promise<void> {
  for (const name of await providerNames(dirname(helper), platform)) {
    const path = join(dirname(helper), providerFile(name, platform));
    await untilFree(() => unlink(path), { platform }).catch(() => undefined);
  }
}

async function providerNames(folder: string, platform: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  const names = platform === 'win32' ? files.map((file) => /^(.*)\.exe$/i.exec(file)?.[1] ?? '') : files;
  return names.filter(isProviderName);
}
