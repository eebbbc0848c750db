import type { Disposable } from '../../main/base/disposables.ts';
import type { LocalPage } from '../../main/doors/ui/local-page.ts';
import type { Log } from '../../main/ports/log.ts';
import type { Act } from '../actions.ts';
import type { ElectronModule } from '../electron.ts';

export interface LifeDeps {
  electron: Pick<ElectronModule, 'app' | 'dialog' | 'Menu'>;
  platform: NodeJS.Platform;
  log: Log;
  page: LocalPage;
  act: Act;
  hasTray: boolean;
  /** Ends all that runs; afterwards the app may go. */
  end(): Promise<void>;
}

/** Second starts, the dock, the jump list, and the app's end. */
export interface Life extends Disposable {
  /** A person wants to quit: says who waits first. */
  quit(): void;
}

export function createLife({ electron, end }: LifeDeps): Life {
  return {
    quit: () => void end().finally(() => electron.app.exit(0)),
    dispose: () => undefined,
  };
}
