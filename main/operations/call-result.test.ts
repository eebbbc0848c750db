import { expect, it } from 'vitest';
import { callResult } from './call-result.ts';

it.each([
  ['handedOut', 'held', 'Issued'],
  ['handedOut', 'renewed', 'Issued, renewed for it'],
  ['noCredential', 'held', 'No credential'],
  ['refused', 'lock.closing', 'Denied: Lanyard is locked'],
  ['refused', 'vault.locked', 'Denied: Lanyard is locked'],
  ['refused', 'vault.none', 'Denied: there is no vault yet'],
  ['refused', 'vault.broken.content', 'Denied: the vault can’t be opened'],
  ['refused', 'vault.diskFull', 'Failed: the disk is full'],
  ['refused', 'approval.denied', 'Denied: by you'],
  ['refused', 'approval.timedOut', 'Denied: not answered in time'],
  ['refused', 'approval.unanswered', 'Denied: not answered'],
  ['refused', 'kube.destination.differs', 'Denied: not the approved server'],
  ['refused', 'kube.destination.unknown', 'Denied: not the approved server'],
  ['refused', 'oidc.login.needed', 'Denied: log in first'],
  ['refused', 'oidc.login.noDisplay', 'Denied'],
  ['refused', 'oidc.cancelled', 'Denied: the caller stopped waiting'],
  ['refused', 'oidc.browser.denied', 'Denied: the login was denied'],
  ['refused', 'oidc.device.denied', 'Denied: the login was denied'],
  ['refused', 'login.notBegun', 'Denied: log in first'],
  ['refused', 'login.cancelled', 'Denied: the login was cancelled'],
  ['refused', 'oidc.session.ended', 'Denied: log in again'],
  ['refused', 'oidc.timeout', 'Failed: the provider failed'],
  ['refused', 'execPlugin.unsafe', 'Denied: others can change its program'],
  ['refused', 'execPlugin.moved', 'Denied: its program is another file now'],
  ['refused', 'execPlugin.changed', 'Denied: its program has changed'],
  ['refused', 'execPlugin.lost', 'Denied: its caller ended before the plugin'],
  ['refused', 'execPlugin.notFound', 'Failed: the plugin failed'],
  ['refused', 'of a newer Lanyard', 'Failed'],
] as const)('%s by %s is: %s', (outcome, reason, text) => {
  expect(callResult({ outcome, reason })).toBe(text);
});
