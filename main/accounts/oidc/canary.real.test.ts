import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { session } from '../../../test/support/vault-parts.ts';
import { Secret } from '../../base/secret.ts';
import { FakeVault } from '../testing/fake-vault.ts';
import { createOidcBench } from '../testing/oidc-bench.ts';
import { createOidcAccount } from './oidc-account.ts';

/** A provider whose answers at the token endpoint are made here: tokens in answers that are wrong. */
let server: Server;
let issuer: string;
let answer: { status: number; body: string } = { status: 200, body: '' };

beforeAll(async () => {
  server = createServer((request, response) => {
    const bodies: Record<string, unknown> = {
      '/.well-known/openid-configuration': {
        issuer,
        token_endpoint: `${issuer}/token`,
        device_authorization_endpoint: `${issuer}/device/auth`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256'],
      },
      '/device/auth': {
        device_code: 'canary-device-code',
        user_code: 'ABCD',
        verification_uri: `${issuer}/device`,
        expires_in: 300,
      },
      '/jwks': { keys: [] },
    };
    const known = bodies[request.url ?? ''];
    response.writeHead(known ? 200 : answer.status, { 'content-type': 'application/json' });
    response.end(known ? JSON.stringify(known) : answer.body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const seconds = Math.floor(Date.now() / 1000);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: object) =>
  `${part({ alg: 'RS256' })}.${part({ sub: 'canary-claim', ...claims })}.canary-signature`;
const tokens = {
  access_token: 'canary-access',
  refresh_token: 'canary-refresh',
  token_type: 'bearer',
  expires_in: 60,
};

test.each<[string, number, () => unknown]>([
  ['no token type', 200, () => ({ ...tokens, token_type: undefined })],
  ['a strange token type', 200, () => ({ ...tokens, token_type: 'canary-type' })],
  ['a life that is no number', 200, () => ({ ...tokens, expires_in: 'canary-life' })],
  ['an id token that is none', 200, () => ({ ...tokens, id_token: 'canary-id-token' })],
  ['an id token of another issuer', 200, () => ({ ...tokens, id_token: jwt({ iss: 'canary-issuer' }) })],
  [
    'an id token without a known key',
    200,
    () => ({
      ...tokens,
      id_token: jwt({ iss: issuer, aud: 'kubernetes', sub: 'alice', iat: seconds, exp: seconds + 60 }),
    }),
  ],
  ['broken JSON', 200, () => '{"refresh_token":"canary-refresh"'],
  ['tokens in an error', 400, () => ({ ...tokens, error: 'invalid_request' })],
  ['tokens in an error page', 500, () => 'canary-refresh'],
])(
  'an answer with %s: nothing of it is in any outcome, state, log line or cause (rule: no-secret-in-text)',
  async (_name, status, body) => {
    const vault = new FakeVault({ secrets: { corp: { clientSecret: new Secret('canary-client-secret') } } });
    const bench = createOidcBench(
      createOidcAccount,
      { issuer, clientId: 'kubernetes', caPem: null, person: { approveDevice: async () => undefined } },
      { vault },
    );
    const given = body();
    answer = { status, body: typeof given === 'string' ? given : JSON.stringify(given) };
    const login = await bench.login('alice', async () => undefined);
    vault.content = {
      ...vault.content,
      sessions: {
        corp: {
          ...session('canary-presented'),
          issuer,
          token: { value: new Secret('canary-held'), issuedAt: 1, expiresAt: null },
        },
      },
    };
    const renewed = await bench.renew();
    expect([login.ok, renewed.ok]).toEqual([false, false]);
    const { account, log } = bench;
    const told = [login, renewed, await account.state(), await account.current(), log.lines];
    const text = inspect([told, account, vault.writes], {
      depth: Number.POSITIVE_INFINITY,
      showHidden: true,
      getters: true,
    });
    expect(log.lines.length).toBeGreaterThan(1);
    expect(text).not.toContain('canary');
  },
);
