import type { Alert, Seen } from './alert.ts';

/** What is remembered of a thing. Times are milliseconds since 1970. */
export interface Remembered {
  readonly since: number;
  readonly isTold: boolean;
  /** When it was over; it is the same alert if it comes back soon. Null: it is present. */
  readonly goneAt: number | null;
}

/** By key. */
export type Memory = ReadonlyMap<string, Remembered>;

/** Of what is kept in the file. A state may hold more things: those beyond it are told of when there is room. */
export const memoryLimit = 2_000;

/** What flaps is one thing: after so long it is another one. By the first word of the key. */
const calm: Readonly<Record<string, number>> = {
  wanted: 900_000,
  login: 900_000,
  failing: 1_800_000,
  rejecting: 1_800_000,
  ending: 600_000,
};

/** The next memory: what is present now, and what is over but may come back. */
export function remember(memory: Memory, alerts: readonly Alert[], seen: Seen, at: number): Memory {
  const next = new Map<string, Remembered>();
  const present = new Set(alerts.map(({ key }) => key));
  for (const [key, known] of memory) {
    if (present.has(key)) {
      // A clock that was set back doesn't lengthen the wait.
      next.set(key, { ...known, since: Math.min(known.since, at), goneAt: null });
      continue;
    }
    const goneAt = Math.min(known.goneAt ?? at, at);
    if (isUnknown(key, seen)) {
      next.set(key, known);
    } else if (known.isTold && at - goneAt < calmOf(key, seen)) {
      next.set(key, { ...known, goneAt });
    }
  }
  for (const key of present) {
    if (!next.has(key)) {
      next.set(key, { since: at, isTold: false, goneAt: null });
    }
  }
  for (const key of beyondLimit(next)) {
    next.delete(key);
  }
  return next;
}

/**
 * What is over is dropped first, then the most recent: what is present and was told must not be forgotten, or it
 * would be told again at every check. Questions don't count: filling a kubeconfig with users doesn't suppress one.
 */
function beyondLimit(memory: Memory): string[] {
  const kept = [...memory].filter(([key]) => !isOfThisRun(key));
  const over = kept.filter(([, { goneAt }]) => goneAt !== null);
  const present = kept.filter(([, { goneAt }]) => goneAt === null).reverse();
  return [...over, ...present].slice(0, Math.max(0, kept.length - memoryLimit)).map(([key]) => key);
}

/** Who waits, waits for this process: nothing of it is kept. */
export function isOfThisRun(key: string): boolean {
  return key.startsWith('question ');
}

/** What the user is to be told of now. */
export function dueOf(memory: Memory, alerts: readonly Alert[], at: number): Alert[] {
  return alerts.filter((alert) => {
    const known = memory.get(alert.key);
    return known !== undefined && !known.isTold && at - known.since >= (alert.patienceMilliseconds ?? 0);
  });
}

/** When one of them will be due that isn't yet, milliseconds from now; null: none will be by time alone. */
export function nextDue(memory: Memory, alerts: readonly Alert[], at: number): number | null {
  const waits = alerts.flatMap(({ key, patienceMilliseconds = 0 }) => {
    const known = memory.get(key);
    const wait = known && !known.isTold ? known.since + patienceMilliseconds - at : 0;
    return wait > 0 ? [wait] : [];
  });
  return waits.length === 0 ? null : Math.min(...waits);
}

export function told(memory: Memory, keys: readonly string[]): Memory {
  const next = new Map(memory);
  for (const key of keys) {
    const known = memory.get(key);
    if (known) {
      next.set(key, { ...known, isTold: true });
    }
  }
  return next;
}

/** While the lock is closed nothing is known but the questions that stand: what isn't seen then isn't over. */
function isUnknown(key: string, { lock }: Seen): boolean {
  return lock['']?.kind !== 'open' && !isOfThisRun(key);
}

function calmOf(key: string, { accounts }: Seen): number {
  const [first = '', ...rest] = key.split(' ');
  const name = rest.join(' ');
  // The user has logged in: the next time is another one.
  const isMended =
    (first === 'wanted' || first === 'login') &&
    Object.hasOwn(accounts, name) &&
    accounts[name]?.state === 'ready';
  return isMended ? 0 : (calm[first] ?? 0);
}
