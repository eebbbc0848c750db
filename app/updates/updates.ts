import type { Disposable } from '../../main/base/disposables.ts';
import type { DesktopView } from '../../main/contract/ui/state.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { Log } from '../../main/ports/log.ts';
import type { ElectronModule } from '../electron.ts';
import type { RunAsRoot } from './install-as-root.ts';

/** Newer versions of the app. Fetches or installs nothing without the user's approval. */
export interface Updates extends Disposable {
  view(): DesktopView['update'];
  onChange(listener: () => void): Disposable;
  /** Throws BrokerError. */
  check(signal: AbortSignal): Promise<void>;
  /** Keeps fetching after the window was closed, which doesn't cancel it. Throws BrokerError. */
  fetch(signal: AbortSignal): Promise<void>;
  /** Throws BrokerError: `update.busy` if ending the app would break off unfinished work. */
  install(): Promise<void>;
}

export interface UpdatesDeps {
  electron: Pick<ElectronModule, 'app' | 'autoUpdater' | 'net'>;
  platform: NodeJS.Platform;
  arch: string;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  log: Log;
  /** The folder of the build. */
  dist: string;
  /** Electron's `resources` folder in an installed app. Null: not installed. */
  resources: string | null;
  /** The folder for packages, and for what is known about the feed. */
  folder: string;
  /** From 0 up to, but not including, 1. */
  random(): number;
  /** Whether to check the feed daily (config.yaml `updates`). */
  isWanted(): boolean;
  /** What ending the app would break off now, in a clause. Null: nothing. */
  busy(): string | null;
  /** Linux packages. Default: the system's own way. */
  runAsRoot?: RunAsRoot;
  /** Ends everything that runs without asking. Then `last` ends the process. */
  handOver(last: () => void): Promise<void>;
}
