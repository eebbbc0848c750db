import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { ServerMetadata } from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newRsaKey } from '../../../../test/support/keys/new-rsa-key.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../../../../test/support/openid-provider.ts';
import { Secret } from '../../../base/secret.ts';
import { parseClientKey } from '../../../domain/credential/client-key.ts';
import { FakeVault } from '../../testing/fake-vault.ts';
import { createOidcBench } from '../../testing/oidc-bench.ts';
import { createOidcAccount } from '../oidc-account.ts';
import { authenticateClient } from './client-authentication.ts';

const keys: Record<string, KeyObject> = {
  rsa: newRsaKey(),
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  ed: generateKeyPairSync('ed25519').privateKey,
};
const pem = (name: string) => new Secret(String(keys[name]?.export({ type: 'pkcs8', format: 'pem' })));
const issuer = 'https://id.example.com';

async function assertion(name: string, metadata: Partial<ServerMetadata> = {}) {
  const parsed = parseClientKey(pem(name));
  const body = new URLSearchParams();
  const server = { issuer, token_endpoint: `${issuer}/token`, ...metadata };
  const authenticate = authenticateClient(
    server,
    { assertion: null, key: parsed.ok ? parsed.key : null, certificate: null },
    new Secret('canary-secret'),
  );
  await authenticate(server, { client_id: 'kubernetes' }, body, new Headers());
  return { body, jwt: body.get('client_assertion') ?? '' };
}

test('an assertion is for the issuer alone, lives a minute, and is new each time; the secret stays home', async () => {
  const { body, jwt } = await assertion('rsa');
  const claims = decodeJwt(jwt);
  expect(claims).toMatchObject({ iss: 'kubernetes', sub: 'kubernetes', aud: issuer });
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(60);
  expect(claims.jti).not.toBe(decodeJwt((await assertion('rsa')).jwt).jti);
  expect([...body.keys()]).toEqual(['client_id', 'client_assertion_type', 'client_assertion']);
});

test.each<[key: string, offered: string[] | undefined, algorithm: string]>([
  ['rsa', undefined, 'RS256'],
  ['rsa', ['ES256', 'PS256'], 'PS256'],
  ['rsa', ['PS256', 'RS256'], 'RS256'],
  ['rsa', ['RS512'], 'RS512'],
  ['ec', ['RS256', 'ES256'], 'ES256'],
  ['ed', ['RS256', 'Ed25519'], 'Ed25519'],
  ['ed', ['EdDSA', 'Ed25519'], 'EdDSA'],
  ['ec', ['RS256'], 'ES256'],
])('a key of kind %s at a provider that takes %j signs with %s', async (key, offered, algorithm) => {
  const { jwt } = await assertion(
    key,
    offered && { token_endpoint_auth_signing_alg_values_supported: offered },
  );
  expect(decodeProtectedHeader(jwt)).toEqual({ alg: algorithm });
});

describe('at a provider', () => {
  let provider: OpenIdProvider;
  beforeAll(async () => {
    provider = await startOpenIdProvider({
      clients: Object.entries(keys).map(([name, key]) => ({
        client_id: `by-${name}`,
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [publicPart(key)] },
        grant_types: ['refresh_token', deviceGrant],
        response_types: [],
        redirect_uris: [],
      })),
    });
  });
  afterAll(() => provider.dispose());

  const open = (clientId: string, secrets: Record<string, Secret>) =>
    createOidcBench(createOidcAccount, provider, {
      config: { clientId },
      vault: new FakeVault({ secrets: { corp: secrets } }),
    });

  test.each(Object.keys(keys))('a client with a key of kind %s logs in and renews with it', async (name) => {
    const bench = open(`by-${name}`, { clientKey: pem(name) });
    expect(await bench.login()).toMatchObject({ ok: true });
    expect(await bench.renew()).toMatchObject({ ok: true });
  });

  test('the key counts before a secret, and a wrong one is rejected without a word of the assertion', async () => {
    const bench = open('by-rsa', { clientKey: pem('rsa'), clientSecret: new Secret('unused') });
    expect(await bench.login()).toMatchObject({ ok: true });
    const other = newRsaKey();
    const wrong = new Secret(String(other.export({ type: 'pkcs8', format: 'pem' })));
    bench.vault.content = { ...bench.vault.content, secrets: { corp: { clientKey: wrong } } };
    const refused = await bench.renew();
    expect(refused).toMatchObject({ reason: 'provider', code: 'oidc.client.rejected' });
    expect(JSON.stringify([refused, bench.log.lines])).not.toMatch(/eyJ/);
    expect(bench.session().intent).toBeNull();
  });

  test('a key that can’t be read is said before anything is asked, and costs no session', async () => {
    const bench = open('by-rsa', { clientKey: pem('rsa') });
    await bench.login();
    const before = bench.session();
    bench.vault.content = { ...bench.vault.content, secrets: { corp: { clientKey: new Secret('canary') } } };
    expect(await bench.renew()).toMatchObject({
      reason: 'notFound',
      code: 'oidc.client.key',
      hint: expect.stringContaining('lanyard secret set corp/clientKey'),
    });
    expect(bench.session()).toEqual(before);
  });
});

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

function publicPart(key: KeyObject): object {
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...jwk } = key.export({ format: 'jwk' });
  return jwk;
}
