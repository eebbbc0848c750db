import { expect, test } from 'vitest';
import { Secret } from '../../../base/secret.ts';
import { authorizationUrl } from './authorization-request.ts';

const request = {
  config: { clientId: 'kubernetes', scopes: ['openid', 'groups'], loginHint: 'alice', extraParams: {} },
  redirectUri: 'http://127.0.0.1:4711/callback/abc',
  state: new Secret('s'),
  nonce: new Secret('n'),
  codeChallenge: 'c',
};

test('asks for a code with S256, state and nonce, and for what the account says', () => {
  const extraParams = { audience: 'prod', prompt: 'select_account' };
  const url = authorizationUrl('https://id.example.com/auth?tenant=7#top', false, {
    ...request,
    config: { ...request.config, extraParams },
  });
  expect(url).toMatch(/^https:\/\/id\.example\.com\/auth\?/);
  expect(Object.fromEntries(new URL(url ?? '').searchParams)).toEqual({
    tenant: '7',
    audience: 'prod',
    prompt: 'select_account',
    login_hint: 'alice',
    client_id: 'kubernetes',
    response_type: 'code',
    redirect_uri: 'http://127.0.0.1:4711/callback/abc',
    scope: 'openid groups',
    state: 's',
    nonce: 'n',
    code_challenge: 'c',
    code_challenge_method: 'S256',
  });
  expect(new URL(url ?? '').hash).toBe('');
});

test('nothing of a parameter’s or the endpoint’s stands in the place of what protects the login', () => {
  const extraParams = { state: 'x', redirect_uri: 'https://evil.example', code_challenge_method: 'plain' };
  const url = authorizationUrl('https://id.example.com/auth?client_id=evil&state=y&state=z', false, {
    ...request,
    config: { ...request.config, extraParams },
  });
  const { searchParams } = new URL(url ?? '');
  for (const [name, value] of [
    ['client_id', 'kubernetes'],
    ['state', 's'],
    ['redirect_uri', request.redirectUri],
    ['code_challenge_method', 'S256'],
  ] as const) {
    expect(searchParams.getAll(name)).toEqual([value]);
  }
});

test.each<[string, boolean]>([
  ['http://id.example.com/auth', false],
  ['http://id.example.com/auth', true],
  ['https://id.example.com@evil.example/auth', false],
  ['javascript:alert(1)', true],
  ['file:///bin/sh', true],
  ['', false],
])('the endpoint %j is not opened (loopback issuer: %s)', (endpoint, loopback) => {
  expect(authorizationUrl(endpoint, loopback, request)).toBeNull();
});
