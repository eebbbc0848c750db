import type { Disposable } from '../base/disposables.ts';
import type { DesktopView } from '../contract/ui/state.ts';

/** The desktop app that a broker runs in, as far as pages show and change it. */
export interface Desktop {
  view(): DesktopView;
  onChange(listener: () => void): Disposable;
  /** Throws BrokerError where the system doesn't allow it. */
  setStartAtLogin(on: boolean): Promise<void>;
  /** Whether a notification is shown now: the system shows them, and the user has not paused them. */
  tellsNow(): boolean;
  /** Milliseconds from now; null: notifications resume. */
  pauseNotifications(milliseconds: number | null): void;
  /** Asks the feed. The result is in `view`. Throws BrokerError. */
  checkForUpdate(signal: AbortSignal): Promise<void>;
  /** Fetches the update that was found, and checks it. Throws BrokerError. */
  fetchUpdate(signal: AbortSignal): Promise<void>;
  /** Ends the app and starts the new one, unless a login or a question is under way: BrokerError `update.busy`. */
  installUpdate(): Promise<void>;
  /** The system’s file dialog, for kubeconfigs. Absolute paths; none: the user cancelled it. Throws BrokerError. */
  chooseFiles(): Promise<readonly string[]>;
}
