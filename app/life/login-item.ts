import type { Disposable } from '../../main/base/disposables.ts';
import { createListeners } from '../../main/base/listeners.ts';
import type { ElectronModule } from '../electron.ts';

/** Whether the system starts the app, hidden, when the person logs in there. */
export interface LoginItem {
  /** Null: this system can't be told to. */
  state(): boolean | null;
  /** Throws BrokerError where the system doesn't let it. */
  set(on: boolean): Promise<void>;
  onChange(listener: () => void): Disposable;
}

export interface LoginItemDeps {
  app: Pick<ElectronModule['app'], 'getLoginItemSettings' | 'setLoginItemSettings'>;
  platform: NodeJS.Platform;
}

const words = { args: ['--hidden'] };

export function createLoginItem({ app, platform }: LoginItemDeps): LoginItem {
  const changed = createListeners();
  const canBeSet = platform === 'darwin' || platform === 'win32';
  return {
    state: () => (canBeSet ? app.getLoginItemSettings(words).openAtLogin : null),
    async set(on) {
      app.setLoginItemSettings({ openAtLogin: on, ...words });
      changed.tell();
    },
    onChange: (listener) => changed.add(listener),
  };
}
