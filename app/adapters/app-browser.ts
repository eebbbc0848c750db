import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openable } from '../../main/platform/browser/openable.ts';
import { createSystemBrowser } from '../../main/platform/browser/system-browser.ts';
import type { Browser, FileOpener } from '../../main/ports/browser.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { ElectronModule } from '../electron.ts';

/** If the system takes longer, the browser may be starting: that counts as opened. */
const openingMilliseconds = 5_000;

export interface AppBrowserDeps {
  shell: Pick<ElectronModule['shell'], 'openExternal'>;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  clock: Pick<Clock, 'after'>;
}

/**
 * The user's web browser. On macOS and Windows, Electron asks the system, without another program whose arguments
 * other users could read. On Linux Electron would run xdg-open with the app's complete environment, including an
 * AppImage's libraries. So Linux uses the broker's opener, which passes a minimal environment and falls back to gio.
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
      // Windows refuses addresses that are too long. That counts as not opened.
      return await Promise.race([shell.openExternal(address).then(() => true), waited]);
    } catch {
      return false;
    } finally {
      limit.dispose();
    }
  };
  return {
    available: () => true,
    // Starts a program that the user chose by its name. The system would choose its own.
    open: (url, program) => (program ? programs.open(url, program) : show(openable(url))),
    finds: programs.finds,
    openFile: (path) => show(isAbsolute(path) && path.endsWith('.html') ? pathToFileURL(path).href : null),
  };
}
