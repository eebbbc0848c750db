import { readdir, readlink, rename, symlink, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isProviderName } from '../contract/program-names.ts';

/**
 * Puts one of the helper’s names for a kubelet beside it, as a link: its folder is the one that a kubelet is told as
 * `--image-credential-provider-bin-dir` (KEP-2133). A file of another kind there is replaced, as the helper’s is. Not on
 * Windows, where links need a privilege.
 */
export async function placeProviderLink(helper: string, name: string): Promise<void> {
  if (process.platform === 'win32') {
    return;
  }
  const path = join(dirname(helper), name);
  const target = basename(helper);
  if ((await readlink(path).catch(() => null)) === target) {
    return;
  }
  const next = `${path}.next`;
  await unlink(next).catch(() => undefined);
  await symlink(target, next);
  await rename(next, path);
}

/** Removes all of them. What can’t be removed stays. */
export async function removeProviderLinks(helper: string): Promise<void> {
  const folder = dirname(helper);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter(isProviderName)) {
    await unlink(join(folder, name)).catch(() => undefined);
  }
}
