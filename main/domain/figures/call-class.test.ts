import { expect, it } from 'vitest';
import { callClass } from './call-class.ts';

it.each<[Parameters<typeof callClass>[0], string, string]>([
  ['handedOut', 'held', 'handedOut'],
  ['handedOut', 'oidc.unreachable', 'handedOut'],
  ['refused', 'approval.denied', 'declined'],
  ['refused', 'lock.locked', 'declined'],
  ['refused', 'oidc.login.needed', 'declined'],
  ['refused', 'kube.request', 'failed'],
  ['refused', 'oidc.unreachable', 'failed'],
  ['refused', 'execPlugin.failed', 'failed'],
  ['refused', 'a.code.nobody.knows', 'failed'],
])('a call that was %s as %s counts as %s', (outcome, reason, expected) => {
  expect(callClass(outcome, reason)).toBe(expected);
});
