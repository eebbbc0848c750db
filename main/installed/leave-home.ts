import { existsSync } from 'node:fs';
import { readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { untilFree } from '../base/until-free.ts';
import type { Paths } from '../domain/paths.ts';
import type { Log } from '../ports/log.ts';
import { asideOf, removeAside } from './place-program.ts';
import { removeProviders } from './provider-links.ts';

/** What to remove from the home as the broker ends. */
export interface Leaving {
  /** The helper and what starts a broker. False where a kubeconfig still names the helper. */
  helper: boolean;
  /** The vault was removed: the history, what inventories listed, and the lists of kubeconfigs, profiles in use and the request proxy’s clients go, too. */
  vault: boolean;
  config: boolean;
  /** Programs outside the home that ran when they were to be removed. */
  aside: readonly string[];
  /** Their folders that Lanyard made, inner ones first: removed where they are empty. */
  folders: readonly string[];
  /** The list of what is outside the home has these two alone. */
  list: boolean;
}

export interface LeavingDeps {
  log: Pick<Log, 'warn'>;
  platform?: string;
  /** How long a file that is open is waited for. */
  limitMilliseconds?: number;
  /** Tests make it fail. */
  files?: { rename(from: string, to: string): Promise<void>; unlink(path: string): Promise<void> };
}

const historyName = /^history\.(db|damaged-|newer-)/;

/** On Windows the helper that asked for it may take a moment to end. */
const endingMilliseconds = 3_000;

/**
 * Removes what is no longer needed, after all else was closed, and under the home’s lock. The helper is removed late,
 * so that after a kill a broker can still be started to go on. A file that can’t be removed stays, and the log names a
 * program.
 */
export async function leaveHome(
  paths: Paths,
  leaving: Leaving,
  {
    log,
    platform = process.platform,
    limitMilliseconds = endingMilliseconds,
    files = { rename, unlink },
  }: LeavingDeps,
): Promise<void> {
  const { helper, vault, config, aside, folders, list } = leaving;
  const limit = { platform, limitMilliseconds };
  const remove = (path: string) =>
    untilFree(() => files.unlink(path), limit).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    );
  if (vault) {
    const names = await readdir(paths.home).catch(() => []);
    for (const name of names.filter((each) => historyName.test(each))) {
      await remove(join(paths.home, name));
    }
    await remove(paths.kubeconfigs);
    await remove(paths.userContexts);
    await remove(paths.usedProfiles);
    await remove(paths.proxyClients);
    await rm(paths.proxySockets, { recursive: true, force: true }).catch(() => undefined);
    await rm(paths.terminals, { recursive: true, force: true }).catch(() => undefined);
    await rm(paths.inventories, { recursive: true, force: true }).catch(() => undefined);
  }
  if (config) {
    await remove(join(dirname(paths.config), 'config.schema.json'));
    await remove(paths.config);
    if (paths.configHome !== paths.home) {
      await removeFolder(paths.configHome);
    }
  }
  const stays: string[] = [];
  for (const path of aside) {
    if (!(await remove(path))) {
      stays.push(path);
    }
  }
  for (const folder of folders) {
    await removeFolder(folder);
  }
  if (list && stays.length === 0) {
    await remove(paths.installed);
  }
  if (helper) {
    await remove(paths.log);
    await remove(paths.earlierLog);
    await remove(paths.start);
    await removeProviders(paths.helper, platform);
    if (!(await remove(paths.helper))) {
      // No kubeconfig and no shell starts it any more.
      await files.rename(paths.helper, asideOf(paths.helper)).catch(() => stays.push(paths.helper));
    }
    stays.push(...(await removeAside(dirname(paths.helper), { files })));
    await removeFolder(dirname(paths.helper));
  }
  for (const program of stays) {
    log.warn('uninstall.runs', { program, hint: 'remove it when it has ended' });
  }
  if (helper && vault) {
    await rm(paths.desktop, { recursive: true, force: true }).catch(() => undefined);
    await remove(paths.installedLock);
    if (platform !== 'win32') {
      await leaveLock(paths, leaving);
    }
  }
}

/**
 * Removes the lock’s file, and the home where nothing is in it: under the lock, so that no broker that has just started
 * loses its own. On Windows after the lock is released, since an open file can’t be removed: not a new broker’s either.
 */
export async function leaveLock(
  { lock, home }: Pick<Paths, 'lock' | 'home'>,
  { helper, vault }: Pick<Leaving, 'helper' | 'vault'>,
): Promise<void> {
  if (helper && vault) {
    await unlink(lock).catch(() => undefined);
    await removeFolder(home);
  }
}

/**
 * Removes Chromium’s folder, which was open until the app had ended, and the home where nothing else is in it. Nothing
 * while a broker runs, or where the helper or a vault stayed.
 */
export async function leaveDesktop(
  paths: Paths,
  acquireLock: (path: string) => { release(): void } | null,
): Promise<void> {
  const isLeft = existsSync(paths.desktop) && ![paths.helper, paths.vault].some(existsSync);
  const held = isLeft ? acquireLock(paths.lock) : null;
  if (held) {
    try {
      // Chromium’s other processes may take a moment to end.
      await rm(paths.desktop, { recursive: true, force: true, maxRetries: 10 }).catch(() => undefined);
    } finally {
      held.release();
    }
    await leaveLock(paths, { helper: true, vault: true });
  }
}

async function removeFolder(path: string): Promise<void> {
  await rmdir(path).catch(() => undefined);
}
