import { BrokerError, toRefusal } from '../../contract/broker-error.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';

/** What `work` throws as a refusal: an abort, a lock, a vault that can't be written. */
export async function refused<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted && !(error instanceof BrokerError)) {
      return refuse('timedOut', 'oidc.cancelled', 'the caller no longer waits for the provider');
    }
    return toRefusal(error);
  }
}
