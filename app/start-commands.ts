import type { StartCommands } from '../main/start/place-helper.ts';
import type { ElectronModule } from './electron.ts';
import { ownAppImage } from './own-app-image.ts';

export interface StartCommandsDeps {
  app: Pick<ElectronModule['app'], 'isPackaged' | 'getAppPath'>;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** This process's own program. */
  execPath?: string;
}

/**
 * Before the app's own arguments, for a broker without windows on Linux. Chromium looks for its screen, its sandbox
 * and the process that its renderers are forked from before any of our code runs, and ends the program where one is
 * missing: without a display, as root, or without user namespaces. Here no renderer is ever made.
 */
const withoutScreen = ['--ozone-platform=headless', '--no-sandbox', '--no-zygote'];

/** How a helper starts this app again: as `lanyard agent`, and hidden on a desktop. */
export function startCommands(deps: StartCommandsDeps): StartCommands {
  return appCommands(ownWords(deps), deps.platform);
}

/** The words that this app itself is started with: its program, and what that needs to find the app. */
export function ownWords({
  app,
  env,
  execPath = process.execPath,
}: Omit<StartCommandsDeps, 'platform'>): readonly [program: string, ...words: string[]] {
  const program = ownAppImage(env, execPath) ?? execPath;
  return app.isPackaged ? [program] : [program, app.getAppPath()];
}

/** The same by the words that the app itself is started with. */
export function appCommands(own: readonly string[], platform: NodeJS.Platform): Required<StartCommands> {
  return {
    command: [...own, ...(platform === 'linux' ? withoutScreen : []), 'agent'],
    desktop: [...own, '--hidden'],
  };
}
