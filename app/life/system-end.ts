import type { Disposable } from '../../main/base/disposables.ts';
import type { ElectronModule } from '../electron.ts';

export interface SystemEndDeps {
  electron: Pick<ElectronModule, 'app' | 'powerMonitor'>;
  /** The process's own. */
  signals: Pick<NodeJS.Process, 'on' | 'removeListener'>;
  /** The user can't be asked. */
  end(): void;
}

const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * The system wants the app to end: a logout, a shutdown, a signal. Called when the app is ready: Electron puts handlers of
 * its own in the place of those that a program has earlier.
 */
export function onSystemEnd({ electron: { app, powerMonitor }, signals, end }: SystemEndDeps): Disposable {
  // Linux waits with the shutdown for who says so here, and until that process has ended.
  const shutdown = (event?: { preventDefault(): void }) => {
    event?.preventDefault();
    end();
  };
  // Windows tells windows alone, and no `before-quit` comes. Without one the app is just ended: as after a crash,
  // nothing that matters was in memory alone (rule: nothing-lost).
  const watchWindow = (
    _event: unknown,
    window: { on(event: 'session-end', listener: () => void): unknown },
  ) => void window.on('session-end', end);
  powerMonitor.on('shutdown', shutdown);
  app.on('browser-window-created', watchWindow);
  for (const signal of endSignals) {
    signals.on(signal, end);
  }
  return {
    dispose() {
      powerMonitor.removeListener('shutdown', shutdown);
      app.removeListener('browser-window-created', watchWindow);
      for (const signal of endSignals) {
        signals.removeListener(signal, end);
      }
    },
  };
}
