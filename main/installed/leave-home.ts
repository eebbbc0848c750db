import { readdir, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Paths } from '../domain/paths.ts';
import { removeProviderLinks } from './provider-links.ts';

/** What to remove from the home as the broker ends. */
export interface Leaving {
  /** The helper and what starts a broker. False where a kubeconfig still names the helper. */
  helper: boolean;
  /** The vault was removed: the history, what inventories listed, and the lists of kubeconfigs, profiles in use and the request proxy’s clients go, too. */
  vault: boolean;
  config: boolean;
  /** The list of what is outside the home is empty. */
  list: boolean;
}

const historyName = /^history\.(db|damaged-|newer-)/;

/**
 * Removes what is no longer needed, after all else was closed, and under the home’s lock. The helper is removed late,
 * so that after a kill a broker can still be started to go on. A file that can’t be removed stays.
 */
export async function leaveHome(paths: Paths, { helper, vault, config, list }: Leaving): Promise<void> {
  const remove = (path: string) => unlink(path).catch(() => undefined);
  const removeFolder = (path: string) => rmdir(path).catch(() => undefined);
  if (vault) {
    const names = await readdir(paths.home).catch(() => []);
    for (const name of names.filter((each) => historyName.test(each))) {
      await remove(join(paths.home, name));
    }
    await remove(paths.kubeconfigs);
    await remove(paths.usedProfiles);
    await remove(paths.proxyClients);
    await rm(paths.proxySockets, { recursive: true, force: true }).catch(() => undefined);
    await rm(paths.inventories, { recursive: true, force: true }).catch(() => undefined);
  }
  if (config) {
    await remove(join(dirname(paths.config), 'config.schema.json'));
    await remove(paths.config);
    if (paths.configHome !== paths.home) {
      await removeFolder(paths.configHome);
    }
  }
  if (list) {
    await remove(paths.installed);
  }
  if (!helper) {
    return;
  }
  await remove(paths.log);
  await remove(paths.earlierLog);
  await remove(paths.start);
  await removeProviderLinks(paths.helper);
  await remove(paths.helper);
  await removeFolder(dirname(paths.helper));
  if (vault) {
    await rm(paths.desktop, { recursive: true, force: true }).catch(() => undefined);
    await remove(paths.installedLock);
    await remove(paths.lock);
    await removeFolder(paths.home);
  }
}
