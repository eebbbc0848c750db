import { expect, it } from 'vitest';
import { isFault } from './call-fault.ts';

it.each([
  ['approval.denied', false],
  ['approval.timedOut', false],
  ['vault.locked', false],
  ['binding.held', false],
  ['cluster.unknown', false],
  ['oidc.login.needed', false],
  ['grant.none', false],
  ['oidc.unreachable', true],
  ['oidc.token.status', true],
  ['execPlugin.failed', true],
  ['execPlugin.notFound', true],
  ['history.failed', true],
  ['internal', true],
  ['something.nobodyKnows', true],
])('%s is a fault: %s', (code, expected) => {
  expect(isFault(code)).toBe(expected);
});
