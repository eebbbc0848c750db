import { resolvePaths } from '../../main/domain/paths.ts';
import { leaveDesktop } from '../../main/installed/leave-home.ts';
import { loadAddon } from '../../main/platform/native/addon.ts';
import type { ElectronModule } from '../electron.ts';
import { appFiles, type Places } from '../files.ts';
import type { Ending } from './ending.ts';

export interface UninstalledDeps {
  app: Pick<ElectronModule['app'], 'exit' | 'relaunch'>;
  platform: NodeJS.Platform;
  ending: Pick<Ending, 'handOver' | 'now'>;
  /** The command line that starts this app. */
  own: readonly [program: string, ...words: string[]];
}

/**
 * Ends the app that was uninstalled. On Windows Chromium's files can be removed only then: by this program, started once
 * more, which Electron does after this process has ended.
 */
export function endUninstalled({ app, platform, ending, own: [execPath, ...words] }: UninstalledDeps): void {
  if (platform !== 'win32') {
    ending.now();
    return;
  }
  void ending.handOver(() => {
    app.relaunch({ execPath, args: [...words, 'leave'] });
    app.exit();
  });
}

/** What that start does. Await it while the entry is evaluated: Electron never becomes ready, and Chromium opens nothing. */
export async function leave(
  places: Places,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Promise<never> {
  const addon = loadAddon(appFiles(places).addon);
  await leaveDesktop(resolvePaths(env, platform), (path) => addon.acquireLock(path));
  process.exit();
}
