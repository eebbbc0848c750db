import type { Paths } from '../../main/domain/paths.ts';
import { withFileLock } from '../../main/installed/file-lock.ts';
import { createLedger } from '../../main/installed/ledger.ts';
import type { NativeAddon } from '../../main/platform/native/addon.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { Log } from '../../main/ports/log.ts';
import type { StartCommands } from '../../main/start/place-helper.ts';
import { type Autostart, createAutostart } from './autostart.ts';
import { autostartPath } from './autostart-entry.ts';
import { createLoginItem, type LoginItem, type LoginItemDeps } from './login-item.ts';

export interface StartAtLoginDeps extends Pick<LoginItemDeps, 'app' | 'platform'> {
  env: NodeJS.ProcessEnv;
  paths: Pick<Paths, 'installed' | 'installedLock' | 'homeVariable'>;
  commands: StartCommands;
  addon: Pick<NativeAddon, 'acquireLock'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
}

export interface StartAtLogin {
  loginItem: LoginItem;
  /** Updates an entry that names a program that has moved. Never rejects. */
  repair(): Promise<void>;
}

/** How this system starts the app at login. */
export function startAtLogin(deps: StartAtLoginDeps): StartAtLogin {
  const { app, platform, log } = deps;
  const autostart = platform === 'linux' ? autostartOf(deps) : null;
  return {
    loginItem: createLoginItem({ app, platform, autostart }),
    repair: async () => autostart?.repair().catch((error: unknown) => log.warn('app.autostart', { error })),
  };
}

/** Null: the user's folders are unknown. */
function autostartOf({ env, paths, commands, addon, clock }: StartAtLoginDeps): Autostart | null {
  const path = autostartPath(env);
  const ledger = createLedger({
    file: paths.installed,
    alone: withFileLock(paths.installedLock, { acquire: (lock) => addon.acquireLock(lock) }),
  });
  const command = commands.desktop ?? commands.command;
  return path === null
    ? null
    : createAutostart({ path, command, home: paths.homeVariable, ledger, now: () => clock.now() });
}
