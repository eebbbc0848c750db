import type { Disposable } from '../../main/base/disposables.ts';
import type { DesktopView } from '../../main/contract/ui/state.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { Log } from '../../main/ports/log.ts';
import type { ElectronModule } from '../electron.ts';
import type { RunAsRoot } from './install-as-root.ts';

/** Newer versions of the app. Nothing is fetched or installed without a person's word. */
export interface Updates extends Disposable {
  view(): DesktopView['update'];
  onChange(listener: () => void): Disposable;
  /** Throws BrokerError. */
  check(signal: AbortSignal): Promise<void>;
  /** Goes on when the one who asked is gone: closing a window is no word against it. Throws BrokerError. */
  fetch(signal: AbortSignal): Promise<void>;
  /** Throws BrokerError: `update.busy` where the end of the app would break something off. */
  install(): Promise<void>;
}

export interface UpdatesDeps {
  electron: Pick<ElectronModule, 'app' | 'autoUpdater' | 'net'>;
  platform: NodeJS.Platform;
  arch: string;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  log: Log;
  /** The folder of what was built. */
  dist: string;
  /** Electron's `resources` of an installed app; null: not installed. */
  resources: string | null;
  /** Where packages, and what is known of the feed, are kept. */
  folder: string;
  /** From 0 up to 1. */
  random(): number;
  /** A daily look at the feed is wanted (config.yaml `updates`). */
  isWanted(): boolean;
  /** What an end of the app would break off now, in a clause; null: nothing. */
  busy(): string | null;
  /** Linux packages: the system's own way unless told otherwise. */
  runAsRoot?: RunAsRoot;
  /** Ends all that runs without a question; `last` then ends the process. */
  handOver(last: () => void): Promise<void>;
}
