import { callClassNames } from '../contract/ui/call-words.ts';
import { callClass } from '../domain/figures/call-class.ts';
import type { CallEvent } from '../ports/history.ts';

/** Why, by the reason’s code or the beginning of it; the first that fits. What isn’t here is told by its code alone. */
const whys: readonly (readonly [string, string])[] = [
  ['renewed', 'renewed for it'],
  ['loggedIn', 'after a login'],
  ['lock.', 'Lanyard is locked'],
  ['approval.denied', 'by you'],
  ['approval.nobody', 'no terminal to ask'],
  ['approval.', 'not answered in time'],
  ['binding.held', 'pending approval'],
  ['oidc.noSession', 'log in first'],
  ['oidc.session.', 'log in again'],
  ['login.cancelled', 'the login was cancelled'],
  ['login.failed', 'the login failed'],
  ['staticToken.missing', 'its secret is missing'],
  ['account.unknown', 'no such account'],
  ['vault.diskFull', 'the disk is full'],
  ['vault.', 'the vault can’t be opened'],
  ['execPlugin.', 'the plugin failed'],
  ['oidc.', 'the provider failed'],
];

/** What became of a call: `Issued, renewed for it`, `Denied: Lanyard is locked`. */
export function callResult({ outcome, reason }: Pick<CallEvent, 'outcome' | 'reason'>): string {
  const result = callClassNames[callClass(outcome, reason)];
  const why = reasonWords(reason);
  return why === null || outcome === 'noCredential'
    ? result
    : `${result}${outcome === 'handedOut' ? ',' : ':'} ${why}`;
}

/** A reason’s code in words; null: it has none. */
function reasonWords(reason: string): string | null {
  return whys.find(([code]) => (code.endsWith('.') ? reason.startsWith(code) : reason === code))?.[1] ?? null;
}
