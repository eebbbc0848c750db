import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenIdProvider, startOpenIdProvider } from '../../../../test/support/openid-provider.ts';
import { Secret } from '../../../base/secret.ts';
import type { HttpRequest } from '../../../platform/network/bounded-fetch.ts';
import { FakeVault } from '../../testing/fake-vault.ts';
import { createOidcBench, noSignal, type OidcBenchOptions } from '../../testing/oidc-bench.ts';
import { createOidcAccount } from '../oidc-account.ts';
import { checkClient } from './client-check.ts';

describe('lanyard doctor, at a provider', () => {
  let provider: OpenIdProvider;
  beforeAll(async () => {
    provider = await startOpenIdProvider();
  });
  afterAll(() => provider?.dispose());

  async function findings(options: OidcBenchOptions = {}) {
    const { account } = createOidcBench(createOidcAccount, provider, options);
    const found = [...(await account.examine(noSignal)), ...(await account.survey(noSignal))];
    return found.filter(({ check }) => check === 'account.client').map(({ level, hint }) => [level, hint]);
  }

  test('finds a wrong client id before anyone logs in', async () => {
    const hint =
      'check clientId of the account; if the client has a secret: lanyard secret set corp/clientSecret';
    expect(await findings({ config: { clientId: 'kubernetse' } })).toEqual([
      ['problem', hint],
      ['problem', hint],
    ]);
  });

  test('knows the right one, and begins nothing there', async () => {
    const before = provider.counts.requests.device_authorization;
    expect(await findings()).toEqual([
      ['ok', null],
      ['ok', null],
    ]);
    expect(provider.counts.requests.device_authorization).toBe(before);
    expect([...provider.issued]).toEqual([]);
  });

  test('asks nothing of a client that proves itself: no secret is sent, and without it the answer says nothing', async () => {
    const vault = new FakeVault({ secrets: { corp: { clientSecret: new Secret('canary') } } });
    const before = provider.lastRequest('token');
    expect(await findings({ vault, config: { clientId: 'other' } })).toEqual([]);
    expect(provider.lastRequest('token')).toBe(before);
  });
});

test.each<[number, unknown, string]>([
  [401, { error: 'invalid_client' }, 'unknown'],
  [400, { error: 'invalid_client' }, 'unknown'],
  [401, { error: 'unauthorized_client' }, 'unknown'],
  // The client exists; its grants are others (the device flow alone).
  [400, { error: 'unauthorized_client' }, 'known'],
  [400, { error: 'invalid_grant' }, 'known'],
  [400, { error: 'invalid_request' }, 'untold'],
  [500, { error: 'server_error' }, 'untold'],
  [200, null, 'untold'],
  [200, 'not json', 'untold'],
])('an answer with %i and %j: %s', async (status, answer, expected) => {
  const seen: [string, HttpRequest][] = [];
  const send = async (url: string, request: HttpRequest) => {
    seen.push([url, request]);
    return new Response(answer === 'not json' ? 'oops' : JSON.stringify(answer), { status });
  };
  const where = { token_endpoint: 'https://id.example/token' };
  expect(await checkClient(where, 'kubernetes', 'http://127.0.0.1/callback', send, noSignal)).toBe(expected);
  expect(Object.fromEntries(seen[0]?.[1].body as URLSearchParams)).toMatchObject({
    grant_type: 'authorization_code',
    client_id: 'kubernetes',
  });
});
