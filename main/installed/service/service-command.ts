import { resolve } from 'node:path';
import { prepareHome, thisOwner } from '../../config/home.ts';
import { resolvePaths } from '../../domain/paths.ts';
import { createAccessLists, type NativeAddon } from '../../platform/native/addon.ts';
import { withFileLock } from '../file-lock.ts';
import { createLedger } from '../ledger.ts';
import { createServiceManager } from './manager.ts';
import { installService, type ServiceDeps, uninstallService } from './service.ts';

export interface ServiceCall {
  what: 'install' | 'uninstall';
  /** The command of start.json that starts the broker. */
  command: readonly string[];
  /** As given: may be relative to the working directory. */
  passphraseFile: string | undefined;
  env: NodeJS.ProcessEnv;
  addon: Pick<NativeAddon, 'acquireLock' | 'ownUid' | 'closeToOthers' | 'isOpenToOthers'>;
}

/** `lanyard agent --install` and `--uninstall`, in the caller’s process. Returns lines for the user. */
export async function runServiceCommand({
  what,
  command,
  passphraseFile,
  env,
  addon,
}: ServiceCall): Promise<string[]> {
  const { platform } = process;
  const paths = resolvePaths(env, platform);
  await prepareHome(paths, thisOwner(createAccessLists(addon)));
  const deps: ServiceDeps = {
    platform,
    uid: platform === 'win32' ? 0 : addon.ownUid(),
    environment: env,
    manager: createServiceManager(platform === 'darwin' ? 'darwin' : 'linux', env),
    ledger: createLedger({
      file: paths.installed,
      alone: withFileLock(paths.installedLock, { acquire: (path) => addon.acquireLock(path) }),
    }),
    now: () => Date.now(),
  };
  if (what === 'uninstall') {
    return uninstallService(deps);
  }
  const more = passphraseFile === undefined ? [] : ['--passphrase-file', resolve(passphraseFile)];
  const wish = {
    command: [...command, ...more],
    home: paths.homeVariable,
    log: paths.log,
    isRunning: isRunning(paths.lock, addon),
  };
  return installService(wish, deps);
}

/** A broker has its home’s lock until it ends. */
function isRunning(lock: string, addon: Pick<NativeAddon, 'acquireLock'>): boolean {
  const held = addon.acquireLock(lock);
  held?.release();
  return held === null;
}
