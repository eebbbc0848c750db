import type { UiState } from '../../main/contract/ui/state.ts';

type Shown = Pick<UiState, 'accounts' | 'questions' | 'held' | 'lock'>;

/** How many things only the user can do now: questions, logins, pending approvals. While locked, only questions. */
export function countForUser({ accounts, questions, held, lock }: Shown): number {
  const open = Object.values(questions).filter(({ ended }) => ended === null).length;
  return isClosed(lock) ? open : open + accountsToLogIn(accounts).length + Object.keys(held).length;
}

/** Accounts whose user has to log in, by name. */
export function accountsToLogIn(accounts: UiState['accounts']): string[] {
  return Object.values(accounts)
    .filter(({ state, login }) => login === null && (state === 'loginNeeded' || state === 'interrupted'))
    .map(({ name }) => name);
}

/** Locked, not made yet, or broken: nothing is issued. */
export function isClosed(lock: UiState['lock']): boolean {
  return lock['']?.kind !== 'open';
}
