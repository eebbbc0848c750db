import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { providerForFile } from '../../../../test/support/openid/for-file.ts';
import type { TokenExchange } from '../../../../test/support/openid/token-exchange.ts';
import { type Fault, startOpenIdProvider } from '../../../../test/support/openid-provider.ts';
import { Secret } from '../../../base/secret.ts';
import type { Credential, Obtained } from '../../../ports/account.ts';
import { parseContent, serializeContent } from '../../../vault/content.ts';
import { createOidcBench, noSignal, type OidcBenchOptions } from '../../testing/oidc-bench.ts';
import { createOidcAccount } from '../oidc-account.ts';

const { provider, loggedIn: loggedInBench } = await providerForFile({
  exchangeAudiences: ['prod', 'staging'],
});
const exchange = provider.tokenExchange as TokenExchange;
beforeEach(() => {
  exchange.answer = {};
  exchange.claims = {};
  exchange.opaque = false;
  exchange.records.length = 0;
});

const urn = (kind: string) => `urn:ietf:params:oauth:token-type:${kind}`;
const credentialOf = (obtained: Obtained | null): Credential => {
  if (!obtained?.ok) {
    throw new Error(`nothing was obtained: ${obtained?.code}`);
  }
  return obtained.credential;
};
const now = Date.now();
const epoch = (seconds: number) => Math.floor(now / 1000) + seconds;

async function loggedIn(options: OidcBenchOptions = {}) {
  const bench = await loggedInBench(options);
  const subject = credentialOf(await bench.account.current());
  return {
    ...bench,
    subject,
    for: (audience: string) => bench.account.exchange(subject, audience, noSignal),
  };
}

test('the account’s access token becomes one for the audience, with its life; nothing is kept', async () => {
  const bench = await loggedIn();
  const before = bench.vault.content;
  const credential = credentialOf(await bench.for('prod'));
  const claims = decodeJwt(credential.token?.reveal() ?? '');
  expect(claims).toMatchObject({ aud: 'prod', sub: 'alice' });
  expect(credential).toMatchObject({ certificate: null, issuedAt: (claims.iat ?? 0) * 1000 });
  expect(credential.expiresAt).toBeGreaterThan(bench.clock.now() + 590_000);
  expect(credential.expiresAt).toBeLessThanOrEqual(bench.clock.now() + 600_000);
  const types = { subjectTokenType: urn('access_token'), requestedTokenType: urn('access_token') };
  expect(exchange.records).toEqual([{ audience: 'prod', ...types, subject: 'alice' }]);
  expect(bench.vault.content).toBe(before);
  const other = credentialOf(await bench.for('staging'));
  expect(decodeJwt(other.token?.reveal() ?? '').aud).toBe('staging');
});

describe('which token is presented', () => {
  test('the access token that came with the id token; one that has expired is renewed first', async () => {
    const bench = await loggedIn();
    const { accessToken } = bench.session();
    bench.change({ accessToken: accessToken && { ...accessToken, expiresAt: bench.clock.now() } });
    expect((await bench.for('prod')).ok).toBe(true);
    expect(bench.session()).toMatchObject({ generation: 2 });
    expect(exchange.records).toMatchObject([{ subjectTokenType: urn('access_token'), subject: 'alice' }]);
    expect((await bench.for('staging')).ok).toBe(true);
    expect(bench.session()).toMatchObject({ generation: 2 });
  });

  test('the id token where there is no other, and none can be had', async () => {
    const bench = await loggedIn();
    bench.change({ accessToken: null, refreshToken: null });
    expect((await bench.for('prod')).ok).toBe(true);
    expect(exchange.records).toMatchObject([{ subjectTokenType: urn('id_token'), subject: 'alice' }]);
  });

  test('a login with an access token alone to exchange survives a restart', async () => {
    const bench = await loggedIn();
    const { plain } = serializeContent(bench.vault.content, 1);
    const restarted = parseContent(plain, 1)?.sessions['corp']?.accessToken?.value.reveal();
    expect(restarted).toBe(bench.session().accessToken?.value.reveal());
    expect(provider.issued.has(restarted ?? '')).toBe(true);
  });
});

test('an account of access tokens presents its access token as such', async () => {
  const bench = await loggedIn({ config: { token: 'access' } });
  expect((await bench.for('prod')).ok).toBe(true);
  expect(exchange.records).toMatchObject([{ subjectTokenType: urn('access_token'), subject: 'alice' }]);
});

test.each<[answer: object, claims: object, opaque: boolean, seconds: number]>([
  [{ expires_in: 60 }, {}, false, 60],
  [{}, { exp: epoch(90) }, false, 90],
  [{ expires_in: null }, { exp: epoch(90) }, false, 90],
  [{ expires_in: 60 }, {}, true, 60],
])(
  'life: %j with %j (opaque: %s) ends after %s s, the earlier of both',
  async (answer, claims, opaque, seconds) => {
    const bench = await loggedIn();
    Object.assign(exchange, { answer, claims, opaque });
    const asked = bench.clock.now();
    const life = ((credentialOf(await bench.for('prod')).expiresAt ?? 0) - asked) / 1000;
    expect(life).toBeGreaterThan(seconds - 30);
    expect(life).toBeLessThanOrEqual(seconds);
  },
);

describe('what else a provider may answer', () => {
  test.each<[string, object, object]>([
    ['N_A as the type of a token that is no bearer’s', { token_type: 'N_A' }, {}],
    ['a JWT by that name', { issued_token_type: urn('jwt') }, {}],
    ['an id token, for an account of id tokens', { issued_token_type: urn('id_token') }, {}],
    ['several audiences', {}, { aud: ['other', 'prod'] }],
  ])('%s is taken', async (_name, answer, claims) => {
    const bench = await loggedIn();
    Object.assign(exchange, { answer, claims });
    expect(await bench.for('prod')).toMatchObject({ ok: true });
  });

  test.each<[string, object, object, string]>([
    ['no issued_token_type', { issued_token_type: null }, {}, 'oidc.exchange.tokenType'],
    ['a refresh token', { issued_token_type: urn('refresh_token') }, {}, 'oidc.exchange.tokenType'],
    ['another audience', {}, { aud: 'other' }, 'oidc.exchange.audience'],
    ['other audiences', {}, { aud: ['other', 'prod2'] }, 'oidc.exchange.audience'],
    ['no audience', {}, { aud: undefined }, 'oidc.exchange.audience'],
    ['a token that has ended', {}, { exp: epoch(-5) }, 'oidc.token.clock'],
    ['a strange token_type', { token_type: 'mac' }, {}, 'oidc.exchange.unsupported'],
    ['no token', { access_token: null }, {}, 'oidc.exchange.malformed'],
  ])('RFC 9700: %s is refused', async (_name, answer, claims, code) => {
    const bench = await loggedIn();
    Object.assign(exchange, { answer, claims });
    const refused = await bench.for('prod');
    expect(refused).toMatchObject({ ok: false, reason: 'provider', code });
    expect(JSON.stringify(refused)).not.toMatch(/eyJ/);
  });

  test('an id token is refused where the account’s are access tokens', async () => {
    const bench = await loggedIn({ config: { token: 'access' } });
    exchange.answer = { issued_token_type: urn('id_token') };
    expect(await bench.for('prod')).toMatchObject({ code: 'oidc.exchange.tokenType' });
  });
});

describe('a provider that refuses says why', () => {
  const notEnabled = 'Standard token exchange is not enabled for the requested client';
  test.each([
    ['invalid_client', 'Audience not found', 'oidc.exchange.target', /check its audience in config.yaml/],
    ['invalid_request', 'Requested audience not available: prod', 'oidc.exchange.target', /audience mapper/],
    ['access_denied', 'Client is not within the token audience', 'oidc.exchange.client', /audience of its/],
    ['invalid_request', notEnabled, 'oidc.exchange.client', /allow token exchange/],
  ])('in Keycloak’s words: %s, %s', async (error, description, code, hint) => {
    const bench = await loggedIn();
    provider.setFault('token', { kind: 'oauthError', error, description });
    const refused = await bench.for('prod');
    expect(refused).toMatchObject({ code, hint: expect.stringMatching(hint) });
    expect(refused).toMatchObject({ message: expect.stringContaining(description) });
  });

  test('an audience it doesn’t know', async () => {
    const bench = await loggedIn();
    expect(await bench.for('nowhere')).toMatchObject({
      reason: 'provider',
      code: 'oidc.exchange.target',
      message: expect.stringContaining('gives no token for the audience nowhere'),
      hint: 'check its audience in config.yaml',
    });
  });

  test('a provider that knows no exchange', async () => {
    const plain = await startOpenIdProvider();
    try {
      const bench = createOidcBench(createOidcAccount, plain);
      await bench.login();
      const subject = credentialOf(await bench.account.current());
      expect(await bench.account.exchange(subject, 'prod', noSignal)).toMatchObject({
        code: 'oidc.exchange.unsupported',
      });
    } finally {
      await plain.dispose();
    }
  });

  test.each<[Fault, object]>([
    [{ kind: 'oauthError', error: 'unauthorized_client' }, { code: 'oidc.exchange.client' }],
    [{ kind: 'oauthError', error: 'invalid_request' }, { code: 'oidc.exchange.error' }],
    [
      { kind: 'status', status: 503, retryAfterSeconds: 30 },
      { code: 'oidc.exchange.status', retryAfterSeconds: 30 },
    ],
    [{ kind: 'down' }, { code: 'oidc.exchange.broken' }],
    [{ kind: 'html' }, { code: 'oidc.exchange.notJson' }],
  ])('%j', async (fault, refusal) => {
    const bench = await loggedIn();
    provider.setFault('token', fault);
    expect(await bench.for('prod')).toMatchObject({ ok: false, reason: 'provider', ...refusal });
  });

  test('a provider that repeats the token is not repeated', async () => {
    const bench = await loggedIn();
    const description = `no: ${bench.subject.token?.reveal()}`;
    provider.setFault('token', { kind: 'oauthError', error: 'invalid_target', description });
    expect(JSON.stringify(await bench.for('prod'))).not.toMatch(/eyJ/);
  });
});

test('a caller who leaves is told at once; a changed configuration gets nothing', async () => {
  const bench = await loggedIn();
  provider.setFault('token', { kind: 'slow', milliseconds: 600_000 });
  const abort = new AbortController();
  const asked = provider.counts.requests.token;
  const waiting = bench.account.exchange(bench.subject, 'prod', abort.signal);
  await expect.poll(() => provider.counts.requests.token).toBe(asked + 1);
  abort.abort();
  expect(await waiting).toMatchObject({ ok: false, code: 'oidc.cancelled' });

  provider.clearFaults();
  bench.current.is = false;
  expect(await bench.for('prod')).toMatchObject({ ok: false, code: 'oidc.exchange.changed' });
});

test('a credential without a token can’t be exchanged', async () => {
  const bench = await loggedIn();
  const certificate = { chainPem: '', keyPem: new Secret('x') };
  const held = { ...bench.subject, token: null, certificate };
  const outcome = await bench.account.exchange(held, 'prod', noSignal);
  expect(outcome).toMatchObject({ ok: false, code: 'oidc.exchange.noToken' });
});
