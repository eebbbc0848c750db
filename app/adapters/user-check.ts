import { noUserCheck, type UserCheck } from '../../main/ports/user-check.ts';
import type { ElectronModule } from '../electron.ts';
import { createWindowsHello, type RunScript, runScript } from './windows-hello.ts';

export interface UserCheckDeps {
  electron: Pick<ElectronModule, 'systemPreferences'>;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  run?: RunScript;
}

/** Touch ID on macOS, Windows Hello on Windows. Linux has no user check. */
export function createUserCheck({ electron, platform, env, run = runScript }: UserCheckDeps): UserCheck {
  switch (platform) {
    case 'darwin':
      return createTouchId(electron.systemPreferences);
    case 'win32':
      return createWindowsHello({ env, run });
    default:
      return noUserCheck;
  }
}

function createTouchId(system: ElectronModule['systemPreferences']): UserCheck {
  return {
    async verify(reason) {
      // Also false while the lid is closed, and after too many wrong fingers.
      if (!system.canPromptTouchID()) {
        return 'absent';
      }
      try {
        // Asks for the user's presence: macOS takes the account's password, too.
        await system.promptTouchID(reason);
        return 'yes';
      } catch {
        // Electron reports the reason only as text: a wrong finger, the user's cancel, or the system's.
        return 'no';
      }
    },
  };
}
