import type { Bindings } from '../../../access/bindings.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import { groupOf } from '../../../contract/config/config.ts';
import type { EntryName } from '../../../domain/loaded-config.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';

export interface AwaitConfirmedDeps {
  bindings: Pick<Bindings, 'pending' | 'onConfirmed'>;
  config: Pick<ConfigStore, 'current' | 'onChange'>;
  clock: Pick<Clock, 'after'>;
}

/** How long the import waits for approval. */
const limitMilliseconds = 60 * 60_000;

/**
 * Waits until the user has approved these entries (rule: confirmed-binding). Throws where they were removed again,
 * after `limitMilliseconds`, and when `signal` aborts.
 */
export async function awaitConfirmed(
  entries: readonly EntryName[],
  signal: AbortSignal,
  { bindings, config, clock }: AwaitConfirmedDeps,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = () => {
    const gone = entries.find(({ what, name }) => !config.current()[groupOf(what)].has(name));
    if (gone) {
      reject(
        new BrokerError('import.takenBack', `${gone.name} was taken out again before it was confirmed`, {
          reason: 'denied',
          hint: 'your own files are as they were',
        }),
      );
    } else if (!entries.some((entry) => isHeld(entry, bindings))) {
      resolve();
    }
  };
  const timer = clock.after(limitMilliseconds, () =>
    reject(
      new BrokerError('import.unconfirmed', 'no one approved it in an hour: what is new stays pending', {
        reason: 'timedOut',
        hint: 'your own files are as they were; to confirm it: lanyard confirm, then import again',
      }),
    ),
  );
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const sources = [bindings.onConfirmed(look), config.onChange(look)];
  try {
    signal.throwIfAborted();
    look();
    await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    timer.dispose();
    for (const source of sources) {
      source.dispose();
    }
  }
}

function isHeld({ what, name }: EntryName, bindings: Pick<Bindings, 'pending'>): boolean {
  try {
    return bindings.pending(what, name) !== null;
  } catch {
    // Locked meanwhile: nothing was approved.
    return true;
  }
}
