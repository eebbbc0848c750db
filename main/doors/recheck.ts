import { type Refusal, refuse } from '../contract/refusal.ts';
import type { Target } from '../domain/target/target.ts';
import type { Account } from '../ports/account.ts';
import type { Directory, Gate } from '../ports/broker-core.ts';

export interface RecheckDeps {
  gate: Gate;
  directory: Directory;
}

/** What was found when a request came, to be checked again after each wait. */
export interface Found {
  account: Account;
  target: Target;
  /** Finds the target again, as it was found first. */
  again(): { ok: true; target: Target } | Refusal;
}

/**
 * Time has passed: the lock, the configuration and the confirmation may have changed meanwhile
 * (rule: locked-issues-nothing).
 */
export function recheck({ account, target, again }: Found, deps: RecheckDeps): Refusal | null {
  const changed = recheckAccount(account, deps);
  if (changed) {
    return changed;
  }
  const found = again();
  if (!found.ok) {
    return found;
  }
  return found.target === target || found.target.shape === target.shape
    ? null
    : refuse(
        'notPermitted',
        'target.changed',
        `the configuration of ${target.name} changed while its credential was fetched`,
        'try again',
      );
}

/** The lock, and the account, are as they were. */
export function recheckAccount(account: Account, { gate, directory }: RecheckDeps): Refusal | null {
  const locked = gate();
  if (locked) {
    return locked;
  }
  const now = directory.account(account.name);
  if (!now.ok) {
    return now;
  }
  const what = `the configuration of ${account.name} changed while its credential was fetched`;
  return now.account === account ? null : refuse('notPermitted', 'account.changed', what, 'try again');
}
