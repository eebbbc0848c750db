import { expect, test } from 'vitest';
import { keyToLookAt, type RefusedAccount, refuseProblem } from './problem-table.ts';
import type { ProviderProblem } from './provider-problem.ts';

const account: RefusedAccount = {
  host: 'id.example.com',
  account: 'corp',
  clock: null,
  config: {},
  proof: null,
};
const proxyUrl = 'http://proxy.example:3128';

test.each<[ProviderProblem['kind'], string | null, string | null]>([
  ['unknownAuthority', 'certificateAuthority', 'certificateAuthority'],
  ['connectionRefused', 'issuer', 'issuer'],
  ['proxyRefused', 'proxyUrl', null],
  ['proxyLogin', 'proxyUrl', null],
  ['tls', null, null],
])('after %s of its discovery, the key to look at is %s, or without a proxyUrl %s', (kind, own, without) => {
  const problem = { kind, detail: null, oauthError: null, status: null };
  const keys = [{ proxyUrl }, {}].map((config) =>
    keyToLookAt(refuseProblem(problem, 'discovery', { ...account, config })),
  );
  expect(keys).toEqual([own, without]);
});

test('the proxy that counts is the one that is named', () => {
  const problem = { kind: 'proxyTimeout', detail: 'p:1', oauthError: null, status: null } as const;
  expect(refuseProblem(problem, 'token', { ...account, config: { proxyUrl } }).hint).toBe(
    'check proxyUrl of the account',
  );
  expect(refuseProblem(problem, 'token', account).hint).toBe(
    'check HTTPS_PROXY and NO_PROXY where Lanyard is started',
  );
});

const proof = { assertion: null, key: null, certificate: null };
const there = {} as never;

test.each<[string, Partial<RefusedAccount>, RegExp]>([
  ['a secret', { proof }, /lanyard secret set corp\/clientSecret$/],
  ['a key', { proof: { ...proof, key: there } }, /lanyard secret set corp\/clientKey < FILE$/],
  [
    'a certificate',
    { proof: { ...proof, certificate: there } },
    /lanyard secret set corp\/clientCertificate < FILE$/,
  ],
  [
    'another system’s token',
    { proof: { ...proof, assertion: there, key: there } },
    /its clientAssertionFile/,
  ],
  [
    'a key on a token',
    { proof: { ...proof, key: there }, config: { clientKeyAccount: 'card' } },
    /key or certificate of card must be registered/,
  ],
])('a client that is rejected with %s is told about that', (_, more, hint) => {
  for (const [kind, detail] of [
    ['clientRejected', 'invalid_client'],
    ['oauthError', 'invalid_request: client_assertion is wrong'],
  ] as const) {
    const problem = { kind, detail, oauthError: detail, status: 401 };
    expect(refuseProblem(problem, 'token', { ...account, ...more }).hint).toMatch(hint);
  }
});
