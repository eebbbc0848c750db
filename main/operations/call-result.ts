import type { CallClass } from '../contract/doors.ts';
import { callClassNames } from '../contract/ui/call-words.ts';
import { callClass } from '../domain/figures/call-class.ts';
import type { CallEvent } from '../ports/history.ts';

/** Why, by the reason’s code. A code that is neither here nor begins as one below has no words: the result stands alone. */
const reasonTexts: ReadonlyMap<string, string> = new Map([
  ['renewed', 'renewed for it'],
  ['loggedIn', 'after a login'],
  ['vault.locked', 'Lanyard is locked'],
  ['vault.none', 'there is no vault yet'],
  ['vault.diskFull', 'the disk is full'],
  ['approval.denied', 'by you'],
  ['approval.nobody', 'no terminal to ask'],
  ['approval.unanswered', 'not answered'],
  ['approval.timedOut', 'not answered in time'],
  ['binding.held', 'pending approval'],
  ['kube.destination.differs', 'not the approved server'],
  ['kube.destination.unknown', 'not the approved server'],
  ['oidc.login.needed', 'log in first'],
  ['login.notBegun', 'log in first'],
  ['login.cancelled', 'the login was cancelled'],
  ['oidc.cancelled', 'the caller stopped waiting'],
  ['oidc.browser.denied', 'the login was denied'],
  ['oidc.device.denied', 'the login was denied'],
  ['staticToken.missing', 'its secret is missing'],
  ['account.unknown', 'no such account'],
  ['execPlugin.unsafe', 'others can change its program'],
  ['execPlugin.moved', 'its program is another file now'],
  ['execPlugin.changed', 'its program has changed'],
  ['execPlugin.lost', 'its caller ended before the plugin'],
]);

/** Why, by the beginning of the code, for each class of a call that it is true of. */
const groupTexts = {
  declined: [
    ['lock.', 'Lanyard is locked'],
    ['oidc.session.', 'log in again'],
    ['vault.', 'the vault can’t be opened'],
  ],
  failed: [
    ['execPlugin.', 'the plugin failed'],
    ['oidc.', 'the provider failed'],
  ],
  handedOut: [],
  noCredential: [],
} as const satisfies Record<CallClass, readonly (readonly [string, string])[]>;

/** What became of a call: `Issued, renewed for it`, `Denied: Lanyard is locked`. */
export function callResult({ outcome, reason }: Pick<CallEvent, 'outcome' | 'reason'>): string {
  const found = callClass(outcome, reason);
  const result = callClassNames[found];
  const why = callReason({ outcome, reason });
  return why === null || outcome === 'noCredential'
    ? result
    : `${result}${outcome === 'handedOut' ? ',' : ':'} ${why}`;
}

/** A reason’s code in words; null: it has none. */
export function callReason({ outcome, reason }: Pick<CallEvent, 'outcome' | 'reason'>): string | null {
  const found: CallClass = callClass(outcome, reason);
  const group = groupTexts[found].find(([beginning]) => reason.startsWith(beginning));
  return exactReason(reason) ?? group?.[1] ?? null;
}

/** The words for exactly this code; undefined: it has none. */
export function exactReason(code: string): string | undefined {
  return reasonTexts.get(code);
}
