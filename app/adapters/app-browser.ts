import { createSystemBrowser } from '../../main/browser/system-browser.ts';
import type { Browser, FileOpener } from '../../main/ports/browser.ts';
import type { ElectronModule } from '../electron.ts';

export interface AppBrowserDeps {
  shell: Pick<ElectronModule['shell'], 'openExternal'>;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

/** The person's web browser. */
export function createAppBrowser({ platform, env }: AppBrowserDeps): Browser & FileOpener {
  return createSystemBrowser({ platform, env });
}
