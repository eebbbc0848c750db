import { callerText } from './question-words.ts';
import type { AccountView } from './state.ts';

/**
 * The programs that wait for a login, as a clause: `kubectl (from zsh in code) waits`, `kubectl (from make) and 3 more
 * wait`.
 */
export function whoWaits({
  callers: [first = []],
  waiting,
}: Pick<NonNullable<AccountView['wanted']>, 'callers' | 'waiting'>): string {
  const who = callerText({ lineage: first });
  return waiting > 1 ? `${who} and ${waiting - 1} more wait` : `${who} waits`;
}
