import type { Disposable } from '../base/disposables.ts';
import type { SyncOutcome } from './sync-limit.ts';

/** Keeps an inventory in step with where its profiles come from. */
export interface ProfileSource extends Disposable {
  /** Reads everything anew, now; resolves when that is done, with the first fault, or with what takes too long. */
  sync(): Promise<SyncOutcome>;
  /** The network, the credential or the machine is back: what waits comes again now. */
  wake(): void;
}
