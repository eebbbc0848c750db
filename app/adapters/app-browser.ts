import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openable } from '../../main/platform/browser/openable.ts';
import { createSystemBrowser } from '../../main/platform/browser/system-browser.ts';
import type { Browser, FileOpener } from '../../main/ports/browser.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { ElectronModule } from '../electron.ts';

/** What the system still does after this counts as opened: the browser may be starting. */
const openingMilliseconds = 5_000;

export interface AppBrowserDeps {
  shell: Pick<ElectronModule['shell'], 'openExternal'>;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  clock: Pick<Clock, 'after'>;
}

/**
 * The user's web browser. On macOS and Windows the system is asked through Electron: no program in between, whose
 * arguments other users could read. On Linux that would be xdg-open in any case, but with the app's complete
 * environment, including an AppImage's libraries: there it stays with the opener that gives it a bare one and falls
 * back to gio.
 */
export function createAppBrowser({ shell, platform, env, clock }: AppBrowserDeps): Browser & FileOpener {
  if (platform !== 'darwin' && platform !== 'win32') {
    return createSystemBrowser({ platform, env });
  }
  const programs = createSystemBrowser({ platform, env });
  const show = async (address: string | null) => {
    if (address === null) {
      return false;
    }
    const { promise: waited, resolve } = Promise.withResolvers<boolean>();
    const limit = clock.after(openingMilliseconds, () => resolve(true));
    try {
      // Addresses that Windows finds too long are refused by it: that is no browser, either.
      return await Promise.race([shell.openExternal(address).then(() => true), waited]);
    } catch {
      return false;
    } finally {
      limit.dispose();
    }
  };
  return {
    available: () => true,
    // A program that the user chose is started by its name: the system would open its own choice.
    open: (url, program) => (program ? programs.open(url, program) : show(openable(url))),
    finds: programs.finds,
    openFile: (path) => show(isAbsolute(path) && path.endsWith('.html') ? pathToFileURL(path).href : null),
  };
}
