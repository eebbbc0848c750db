import type { Disposable } from '../../main/base/disposables.ts';
import { createListeners } from '../../main/base/listeners.ts';
import { BrokerError } from '../../main/contract/broker-error.ts';
import type { ElectronModule } from '../electron.ts';
import type { Autostart } from './autostart.ts';

/** Whether the system starts the app, hidden, when the user logs in. */
export interface LoginItem {
  /** Null: this system has no such setting. */
  state(): boolean | null;
  /** Throws BrokerError where the system doesn't allow it. */
  set(on: boolean): Promise<void>;
  onChange(listener: () => void): Disposable;
}

export interface LoginItemDeps {
  app: Pick<
    ElectronModule['app'],
    'getAppPath' | 'getLoginItemSettings' | 'isPackaged' | 'setLoginItemSettings'
  >;
  platform: NodeJS.Platform;
  /** On Linux. Null: the entry has no location. */
  autostart: Autostart | null;
}

export function createLoginItem({ app, platform, autostart }: LoginItemDeps): LoginItem {
  const changed = createListeners();
  const way = wayOf(app, platform) ?? autostart;
  return {
    state: () => (way ? way.isOn() : null),
    async set(on) {
      if (!way) {
        throw new BrokerError('loginItem.none', 'this system can’t be told to start Lanyard at login', {
          reason: 'usage',
        });
      }
      await way.set(on);
      changed.tell();
      if (way.isOn() !== on) {
        throw new BrokerError('loginItem.refused', 'the system didn’t take it', {
          reason: 'notPermitted',
          hint: `allow it in the system’s settings: ${platform === 'darwin' ? 'General, Login Items' : 'Apps, Startup'}`,
        });
      }
    },
    onChange: (listener) => changed.add(listener),
  };
}

/** Whether macOS started this app at login. macOS passes no arguments, so only this setting tells. */
export function openedAtLogin(app: Pick<ElectronModule['app'], 'getLoginItemSettings'>): boolean {
  return app.getLoginItemSettings().wasOpenedAtLogin;
}

function wayOf(app: LoginItemDeps['app'], platform: NodeJS.Platform): Pick<Autostart, 'isOn' | 'set'> | null {
  if (platform === 'win32') {
    const own = app.isPackaged ? [] : [`"${app.getAppPath()}"`];
    const words = { path: process.execPath, args: [...own, '--hidden'] };
    return {
      // Also false where the user disabled it in the task manager.
      isOn: () => {
        const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings(words);
        return openAtLogin && executableWillLaunchAtLogin;
      },
      set: async (on) => app.setLoginItemSettings({ openAtLogin: on, enabled: on, ...words }),
    };
  }
  // Not packaged, macOS would start Electron's own app.
  return platform === 'darwin' && app.isPackaged
    ? {
        isOn: () => app.getLoginItemSettings().openAtLogin,
        set: async (on) => app.setLoginItemSettings({ openAtLogin: on }),
      }
    : null;
}
