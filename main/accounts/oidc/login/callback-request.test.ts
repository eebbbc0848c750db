import { describe, expect, test } from 'vitest';
import { Secret } from '../../../base/secret.ts';
import { type CallbackRequest, judgeCallback } from './callback-request.ts';

const expected = {
  path: '/callback/abc',
  host: '127.0.0.1:4711',
  state: new Secret('the-state'),
  issuer: 'https://id.example.com',
  issuerRequired: false,
};
const good = '/callback/abc?code=the-code&state=the-state';

function judge(request: Partial<CallbackRequest>, more: Partial<typeof expected> = {}) {
  return judgeCallback(
    {
      method: 'GET',
      target: good,
      host: '127.0.0.1:4711',
      origin: undefined,
      fetchMode: 'navigate',
      ...request,
    },
    { ...expected, ...more },
  );
}
const target = (query: string) => ({ target: `/callback/abc?${query}` });

test('a code with the login’s state is the answer; case of the host and further parameters don’t matter', () => {
  const judged = judge({ ...target('session_state=x&code=the-code&state=the-state'), fetchMode: undefined });
  expect(judged).toEqual({ kind: 'ours', callback: { kind: 'code', code: expect.any(Secret) } });
  expect(judged.kind === 'ours' && judged.callback.kind === 'code' && judged.callback.code.reveal()).toBe(
    'the-code',
  );
  expect(judge({ host: 'LOCALHOST:4711' }, { host: 'localhost:4711' }).kind).toBe('ours');
  expect(judge({ target: '/?code=c&state=the-state' }, { path: '' }).kind).toBe('ours');
});

describe('what is not this address has no answer (rule: guarded-loopback)', () => {
  test.each<[string, Partial<CallbackRequest>]>([
    ['POST', { method: 'POST' }],
    ['HEAD', { method: 'HEAD' }],
    ['OPTIONS', { method: 'OPTIONS' }],
    ['another path', { target: '/callback/abd?code=the-code&state=the-state' }],
    ['a longer path', { target: '/callback/abc/?code=the-code&state=the-state' }],
    ['the path in other words', { target: '/x/../callback/abc?code=the-code&state=the-state' }],
    ['the path, encoded', { target: '/callback/%61bc?code=the-code&state=the-state' }],
    ['a whole URL for a target', { target: `http://127.0.0.1:4711${good}` }],
    ['a fragment', { target: '/callback/abc#code=the-code&state=the-state' }],
    ['no target', { target: undefined }],
    ['another host (DNS rebinding)', { host: 'evil.example:4711' }],
    ['another port', { host: '127.0.0.1:4712' }],
    ['the name where the address was used', { host: 'localhost:4711' }],
    ['no host', { host: undefined }],
    ['a page’s script', { fetchMode: 'cors' }],
    ['a page’s image', { fetchMode: 'no-cors' }],
    ['another site’s form', { origin: 'https://evil.example' }],
  ])('%s', (_name, request) => {
    expect(judge(request)).toEqual({ kind: 'notHere' });
  });
});

describe('what does not hold the state is not ours: it can’t end the login', () => {
  test.each([
    '',
    'code=the-code',
    'code=the-code&state=',
    'code=the-code&state=another',
    'code=the-code&state=the-stat',
    'code=the-code&state=the-state&state=the-state',
    'code=the-code&state=another&state=the-state',
    'error=access_denied',
    'error=access_denied&state=another',
    'iss=https://evil.example&state=another',
  ])('%j', (query) => {
    expect(judge(target(query))).toEqual({ kind: 'notOurs' });
  });
});

describe('the issuer of an answer (RFC 9207)', () => {
  const iss = encodeURIComponent('https://id.example.com');
  test.each<[string, boolean, string]>([
    ['code=c&state=the-state', false, 'code'],
    ['code=c&state=the-state', true, 'otherIssuer'],
    [`code=c&state=the-state&iss=${iss}`, false, 'code'],
    [`code=c&state=the-state&iss=${iss}`, true, 'code'],
    [`code=c&state=the-state&iss=${iss}%2F`, true, 'otherIssuer'],
    ['code=c&state=the-state&iss=https://evil.example', false, 'otherIssuer'],
    ['code=c&state=the-state&iss=', true, 'otherIssuer'],
    [`code=c&state=the-state&iss=${iss}&iss=https://evil.example`, true, 'otherIssuer'],
    // An error, too: it is the other provider's.
    ['error=access_denied&state=the-state&iss=https://evil.example', false, 'otherIssuer'],
    ['error=access_denied&state=the-state', true, 'otherIssuer'],
  ])('%s (announced: %s) is %s', (query, issuerRequired, kind) => {
    expect(judge(target(query), { issuerRequired })).toMatchObject({ kind: 'ours', callback: { kind } });
  });
});

test.each([
  'state=the-state',
  'state=the-state&code=',
  'state=the-state&error=',
  'state=the-state&code=a&code=b',
  'state=the-state&code=a&error=access_denied',
  'state=the-state&error=a&error=b',
  'state=the-state&code=a&access_token=t',
  'state=the-state&code=a&id_token=t',
  'state=the-state&response=jwt',
])('%j is malformed', (query) => {
  expect(judge(target(query))).toEqual({ kind: 'ours', callback: { kind: 'malformed' } });
});

test('an error is made fit to be shown, without the state', () => {
  const description = encodeURIComponent('no\u001b[2J \u202Ethe-state please');
  expect(judge(target(`state=the-state&error=server_error&error_description=${description}`))).toEqual({
    kind: 'ours',
    callback: { kind: 'error', error: 'server_error', description: 'no [2J [secret] please' },
  });
});
