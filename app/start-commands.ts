import type { StartCommands } from '../main/start/place-helper.ts';
import type { ElectronModule } from './electron.ts';
import { ownAppImage } from './own-app-image.ts';

export interface StartCommandsDeps {
  app: Pick<ElectronModule['app'], 'isPackaged' | 'getAppPath'>;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** The path of this process's program. */
  execPath?: string;
}

/**
 * Switches before the arguments of the app, for a broker without windows on Linux. Chromium looks for a display, its
 * sandbox and its zygote process before the app's code runs. It ends the program if one is missing: without a
 * display, as root, or without user namespaces. The broker starts no renderer.
 */
const withoutScreen = ['--ozone-platform=headless', '--no-sandbox', '--no-zygote'];

/** How a helper starts this app again: as `lanyard agent`, or hidden on a desktop. */
export function startCommands(deps: StartCommandsDeps): StartCommands {
  return appCommands(ownWords(deps), deps.platform);
}

/** The command line that starts this app: its program, and the arguments that the program needs to find the app. */
export function ownWords({
  app,
  env,
  execPath = process.execPath,
}: Omit<StartCommandsDeps, 'platform'>): readonly [program: string, ...words: string[]] {
  const program = ownAppImage(env, execPath) ?? execPath;
  return app.isPackaged ? [program] : [program, app.getAppPath()];
}

/** The same, from the command line that starts this app. */
export function appCommands(own: readonly string[], platform: NodeJS.Platform): Required<StartCommands> {
  return {
    command: [...own, ...(platform === 'linux' ? withoutScreen : []), 'agent'],
    desktop: [...own, '--hidden'],
  };
}
