import type { AccountView } from './state.ts';

/** Who waits for a login, in a clause: `kubectl (from code) waits`, `kubectl (from code) and 3 more wait`. */
export function whoWaits({
  callers,
  waiting,
}: Pick<NonNullable<AccountView['wanted']>, 'callers' | 'waiting'>): string {
  const [first] = callers;
  const who = first ? callerText(first) : 'a program';
  return waiting > 1 ? `${who} and ${waiting - 1} more wait` : `${who} waits`;
}

/** A program, and the one at the other end of those above it: what a person knows it by. */
export function callerText(lineage: readonly string[]): string {
  const [program = 'a program', ...above] = lineage;
  const from = above.findLast((name) => !isEverywhere.has(name));
  return from === undefined || from === program ? program : `${program} (from ${from})`;
}

/** Nearly everything runs below these: they say nothing. */
const isEverywhere = new Set(['systemd', 'init', 'launchd', 'explorer.exe', 'svchost.exe']);
