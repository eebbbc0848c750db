import type { Alert, Seen } from './alert.ts';

/** What is remembered of an alert. Times are milliseconds since 1970. */
export interface Remembered {
  readonly since: number;
  readonly isTold: boolean;
  /** When it was over. It is the same alert if it comes back soon. Null: it is present. */
  readonly goneAt: number | null;
}

/** By key. */
export type Memory = ReadonlyMap<string, Remembered>;

/** How many alerts the file stores. A state may have more: the user is told about those when there is room. */
export const memoryLimit = 2_000;

/** An alert that comes back within this time is the same one. By the first word of the key, in milliseconds. */
const calm: Readonly<Record<string, number>> = {
  wanted: 900_000,
  login: 900_000,
  failing: 1_800_000,
  rejecting: 1_800_000,
  ending: 600_000,
  profiles: 600_000,
  inventory: 1_800_000,
  // One handshake after the other asks for a touch.
  touch: 10_000,
  token: 600_000,
};

/** The next memory: alerts that are present, and those that are over but may come back. */
export function remember(memory: Memory, alerts: readonly Alert[], seen: Seen, at: number): Memory {
  const next = new Map<string, Remembered>();
  const present = new Set(alerts.map(({ key }) => key));
  for (const [key, known] of memory) {
    if (known.goneAt !== null && at - known.goneAt >= calmOf(key, seen)) {
      continue;
    }
    if (present.has(key)) {
      // A clock that was set back doesn't make the wait longer.
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
 * The keys to drop: first alerts that are over, then the most recent ones. An alert that is present and was told must
 * stay, or the user would be told again at every check. Questions don't count, so filling a kubeconfig with users
 * can't suppress one.
 */
function beyondLimit(memory: Memory): string[] {
  const kept = [...memory].filter(([key]) => !isOfThisRun(key));
  const over = kept.filter(([, { goneAt }]) => goneAt !== null);
  const present = kept.filter(([, { goneAt }]) => goneAt === null).reverse();
  return [...over, ...present].slice(0, Math.max(0, kept.length - memoryLimit)).map(([key]) => key);
}

/** Whether the key is of a question. It waits for this process, so the file doesn't store it. */
export function isOfThisRun(key: string): boolean {
  return key.startsWith('question ');
}

/** The alerts that the user is to be told about now. */
export function dueOf(memory: Memory, alerts: readonly Alert[], at: number): Alert[] {
  return alerts.filter((alert) => {
    const known = memory.get(alert.key);
    return known !== undefined && !known.isTold && at - known.since >= (alert.patienceMilliseconds ?? 0);
  });
}

/** Milliseconds until the next alert is due. Null: time alone makes none due. */
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

/** While the vault is locked, the state has only questions. Other alerts are then unknown, not over. */
function isUnknown(key: string, { lock }: Seen): boolean {
  return lock['']?.kind !== 'open' && !isOfThisRun(key);
}

function calmOf(key: string, { accounts }: Seen): number {
  const [first = '', ...rest] = key.split(' ');
  const name = rest.join(' ');
  // The user has logged in, so the next alert is a new one.
  const isMended =
    (first === 'wanted' || first === 'login') &&
    Object.hasOwn(accounts, name) &&
    accounts[name]?.state === 'ready';
  return isMended ? 0 : (calm[first] ?? 0);
}
