import { expect, it } from 'vitest';
import { callResult } from './call-result.ts';

it.each([
  ['handedOut', 'held', 'Issued'],
  ['handedOut', 'renewed', 'Issued, renewed for it'],
  ['noCredential', 'held', 'No credential'],
  ['refused', 'lock.closed', 'Denied: Lanyard is locked'],
  ['refused', 'approval.denied', 'Denied: by you'],
  ['refused', 'approval.timedOut', 'Denied: not answered in time'],
  ['refused', 'oidc.session.ended', 'Denied: log in again'],
  ['refused', 'oidc.unreachable', 'Failed: the provider failed'],
  ['refused', 'execPlugin.timedOut', 'Failed: the plugin failed'],
  ['refused', 'of a newer Lanyard', 'Failed'],
] as const)('%s by %s is: %s', (outcome, reason, text) => {
  expect(callResult({ outcome, reason })).toBe(text);
});
