import { noPersonCheck, type PersonCheck } from '../../main/ports/person-check.ts';
import type { ElectronModule } from '../electron.ts';
import { createWindowsHello, type RunScript, runScript } from './windows-hello.ts';

export interface PersonCheckDeps {
  electron: Pick<ElectronModule, 'systemPreferences'>;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  run?: RunScript;
}

/** Touch ID on macOS, Windows Hello on Windows; Linux has no such question of its own. */
export function createPersonCheck({
  electron,
  platform,
  env,
  run = runScript,
}: PersonCheckDeps): PersonCheck {
  switch (platform) {
    case 'darwin':
      return createTouchId(electron.systemPreferences);
    case 'win32':
      return createWindowsHello({ env, run });
    default:
      return noPersonCheck;
  }
}

function createTouchId(system: ElectronModule['systemPreferences']): PersonCheck {
  return {
    async verify(reason) {
      // False as well while the lid is closed, and after too many wrong fingers.
      if (!system.canPromptTouchID()) {
        return 'absent';
      }
      try {
        await system.promptTouchID(reason);
        return 'yes';
      } catch {
        // Electron says only in words why: a wrong finger, the person's own no, or the system's.
        return 'no';
      }
    },
  };
}
