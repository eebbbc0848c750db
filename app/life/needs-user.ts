import { countPending } from '../../main/contract/pending-words.ts';
import type { UiState } from '../../main/contract/ui/state.ts';

type Shown = Pick<UiState, 'accounts' | 'questions' | 'held' | 'lock'>;

/** How many items need the user now: questions, logins, pending approvals. While locked, only questions. */
export function countForUser({ accounts, questions, held, lock }: Shown): number {
  const open = Object.values(questions).filter(({ ended }) => ended === null).length;
  return isClosed(lock) ? open : open + accountsToLogIn(accounts).length + countPending(held);
}

/** The names of the accounts that the user has to log in to. */
export function accountsToLogIn(accounts: UiState['accounts']): string[] {
  return Object.values(accounts)
    .filter(({ state, login }) => login === null && (state === 'loginNeeded' || state === 'interrupted'))
    .map(({ name }) => name);
}

/** Whether the vault is locked, broken, or doesn't exist yet. Then no credentials are issued. */
export function isClosed(lock: UiState['lock']): boolean {
  return lock['']?.kind !== 'open';
}
