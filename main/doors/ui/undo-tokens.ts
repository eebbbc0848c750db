import { randomUUID } from 'node:crypto';
import { BrokerError } from '../../contract/broker-error.ts';
import type { Clock } from '../../ports/clock.ts';

const most = 20;
const lifeMilliseconds = 15 * 60_000;

/** What pages have just done and can undo: by an id that only the call’s answer has, once, for a while. */
export interface UndoTokens<Value> {
  keep(value: Value): string;
  /** Throws BrokerError (reason notFound) with this hint where it isn’t kept any more. */
  take(id: string, hint: string): Value;
}

export function createUndoTokens<Value>(clock: Pick<Clock, 'boottime'>): UndoTokens<Value> {
  const kept = new Map<string, { value: Value; at: number }>();
  return {
    keep(value) {
      const id = randomUUID();
      kept.set(id, { value, at: clock.boottime() });
      for (const oldest of [...kept.keys()].slice(0, -most)) {
        kept.delete(oldest);
      }
      return id;
    },
    take(id, hint) {
      const found = kept.get(id);
      kept.delete(id);
      if (!found || clock.boottime() - found.at > lifeMilliseconds) {
        throw new BrokerError('undo.gone', 'that was too long ago to be undone here', {
          reason: 'notFound',
          hint,
        });
      }
      return found.value;
    },
  };
}
