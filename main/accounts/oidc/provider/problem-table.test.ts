import { expect, test } from 'vitest';
import { keyToLookAt, refuseProblem } from './problem-table.ts';
import type { ProviderProblem } from './provider-problem.ts';

test.each<[ProviderProblem['kind'], string | null]>([
  ['unknownAuthority', 'certificateAuthority'],
  ['connectionRefused', 'issuer'],
  ['proxyRefused', 'proxyUrl'],
  ['tls', null],
])('after %s of its discovery, the key to look at is %s', (kind, key) => {
  const of = { host: 'id.example.com', account: 'corp', clock: null, keys: {} };
  expect(
    keyToLookAt(refuseProblem({ kind, detail: null, oauthError: null, status: null }, 'discovery', of)),
  ).toBe(key);
});
