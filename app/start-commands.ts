import type { StartCommands } from '../main/install.ts';
import type { ElectronModule } from './electron.ts';

export interface StartCommandsDeps {
  app: Pick<ElectronModule['app'], 'isPackaged' | 'getAppPath'>;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
}

/** How a helper starts this app again, hidden; and without a display, as `lanyard agent`. */
export function startCommands({ app, env, platform }: StartCommandsDeps): StartCommands {
  // An AppImage is mounted anew at each start: the file itself stays.
  const program = env['APPIMAGE'] || process.execPath;
  const own = app.isPackaged ? [program] : [program, app.getAppPath()];
  return {
    command: [...own, '--hidden'],
    ...(platform === 'linux' && { withoutDisplay: [...own, '--ozone-platform=headless', 'agent'] }),
  };
}
