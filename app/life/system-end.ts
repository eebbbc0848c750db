import type { Disposable } from '../../main/base/disposables.ts';
import type { ElectronModule } from '../electron.ts';

export interface SystemEndDeps {
  electron: Pick<ElectronModule, 'app' | 'powerMonitor'>;
  /** Those of the process. */
  signals: Pick<NodeJS.Process, 'on' | 'removeListener'>;
  /** Ends the app without asking. */
  end(): void;
}

const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Handles the system's requests to end the app: a logout, a shutdown, a signal. Call it when the app is ready:
 * Electron replaces handlers that were set earlier.
 */
export function onSystemEnd({ electron: { app, powerMonitor }, signals, end }: SystemEndDeps): Disposable {
  // Linux delays the shutdown for a process that prevents the default, until that process has ended.
  const shutdown = (event?: { preventDefault(): void }) => {
    event?.preventDefault();
    end();
  };
  // Windows tells only windows, and sends no `before-quit`. An app without a window is killed. As after a crash,
  // nothing is lost: what matters is on disk (rule: nothing-lost).
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
