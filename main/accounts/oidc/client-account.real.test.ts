import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { providerForFile } from '../../../test/support/openid/for-file.ts';
import type { Fault } from '../../../test/support/openid-provider.ts';
import { Secret } from '../../base/secret.ts';
import type { Obtained } from '../../ports/account.ts';
import { FakeVault } from '../testing/fake-vault.ts';
import { noSignal, type OidcBenchOptions } from '../testing/oidc-bench.ts';

const { provider, open: openBench } = await providerForFile({ exchangeAudiences: ['prod'] });

const asked = () => provider.counts.tokenRequests.client_credentials;
const tokenOf = (found: Obtained | null) => (found?.ok ? found.credential.token?.reveal() : found);
const prompter = { showBrowserPage: () => undefined, showDeviceCode: () => undefined };
const wish = { flow: null, atThisMachine: false };

function open(options: OidcBenchOptions & { secret?: string } = {}) {
  const { id, secret } = provider.confidentialClient;
  const vault = new FakeVault({ secrets: { corp: { clientSecret: new Secret(options.secret ?? secret) } } });
  return openBench({
    vault,
    ...options,
    config: {
      clientId: id,
      flow: 'clientCredentials',
      scopes: ['openid', 'offline_access'],
      ...options.config,
    },
  });
}

test('a token without a user: requested, cached in memory alone, shown as the client’s', async () => {
  const bench = open();
  const { id: clientId } = provider.confidentialClient;
  expect(await bench.account.current()).toBeNull();
  expect(await bench.account.state()).toMatchObject({ state: 'ready', subject: clientId, expiresAt: null });

  const renewed = await bench.renew();
  expect(renewed).toMatchObject({ ok: true, credential: { certificate: null } });
  expect(tokenOf(await bench.account.current())).toBe(tokenOf(renewed));
  const expiresAt = renewed.ok ? renewed.credential.expiresAt : null;
  expect(expiresAt).toBe(bench.clock.now() + 600_000);
  expect(await bench.account.state()).toMatchObject({ state: 'ready', subject: clientId, expiresAt });
  expect(bench.vault.writes).toEqual([]);

  bench.clock.advance(600_000);
  expect(await bench.account.current()).toBeNull();
  expect(tokenOf(await bench.renew())).not.toBe(tokenOf(renewed));
});

test('a login is made at once, and nothing is shown to anybody', async () => {
  const bench = open();
  const { id } = provider.confidentialClient;
  expect(await bench.account.login(prompter, wish, noSignal)).toEqual({
    ok: true,
    subject: id,
    displayName: id,
    issuer: provider.issuer,
    flow: 'clientCredentials',
    note: null,
  });
  expect((await bench.account.current())?.ok).toBe(true);
});

test('many at once are one request, and who leaves doesn’t end it for the others', async () => {
  const bench = open();
  const before = asked();
  const abort = new AbortController();
  const leaving = bench.account.renew(abort.signal);
  const others = Array.from({ length: 20 }, () => bench.renew());
  abort.abort();
  expect(await leaving).toMatchObject({ ok: false, code: 'oidc.cancelled' });
  expect(new Set((await Promise.all(others)).map(tokenOf)).size).toBe(1);
  expect(asked()).toBe(before + 1);
});

test('without a secret or key: reported with the command, and no provider is asked', async () => {
  const bench = open({ vault: new FakeVault() });
  const before = provider.counts.requests.token;
  expect(await bench.renew()).toMatchObject({
    ok: false,
    reason: 'notFound',
    code: 'oidc.client.secretMissing',
    hint: expect.stringContaining('lanyard secret set corp/clientSecret'),
  });
  expect(await bench.account.login(prompter, wish, noSignal)).toMatchObject({ reason: 'notFound' });
  expect(await bench.account.state()).toMatchObject({ state: 'secretMissing' });
  expect(provider.counts.requests.token).toBe(before);
});

test('another secret takes the token away; so does a lock', async () => {
  const bench = open();
  await bench.renew();
  bench.vault.locked = true;
  expect(await bench.account.current()).toMatchObject({ ok: false, reason: 'locked' });
  expect(await bench.renew()).toMatchObject({ ok: false, reason: 'locked' });
  expect(await bench.account.state()).toMatchObject({ state: 'locked' });
  bench.vault.locked = false;
  expect(await bench.account.current()).toBeNull();

  await bench.renew();
  setSecret(bench, 'another one');
  expect(await bench.account.current()).toBeNull();
  expect(await bench.renew()).toMatchObject({ reason: 'provider', code: 'oidc.client.rejected' });
});

const setSecret = ({ vault }: ReturnType<typeof open>, secret: string) => {
  vault.content = { ...vault.content, secrets: { corp: { clientSecret: new Secret(secret) } } };
};
test.each<[string, (bench: ReturnType<typeof open>) => unknown]>([
  ['the configuration', ({ current }) => Object.assign(current, { is: false })],
  ['the secret', (bench) => setSecret(bench, provider.confidentialClient.secret)],
])('a change of %s while the provider is asked: the answer is dropped', async (_name, change) => {
  const bench = open();
  provider.setFault('token', { kind: 'slow', milliseconds: 50, when: 'after' });
  const before = asked();
  const renewal = bench.renew();
  await expect.poll(asked).toBe(before + 1);
  change(bench);
  expect(await renewal).toMatchObject({ ok: false, code: 'oidc.client.changed' });
  expect(await bench.account.current()).toBeNull();
});

test('a JWT for an audience is asked for with the account’s own parameters, never against the request’s own', async () => {
  const bench = open({
    config: {
      scopes: ['openid', 'offline_access', 'groups'],
      extraParams: { audience: 'https://api', grant_type: 'password', client_id: 'other' },
    },
  });
  expect((await bench.renew()).ok).toBe(true);
  expect(provider.lastRequest('token')?.form).toEqual({
    audience: 'https://api',
    scope: 'groups',
    grant_type: 'client_credentials',
  });
});

test.each<[Fault, object]>([
  [{ kind: 'down' }, { code: 'oidc.token.broken' }],
  [{ kind: 'html' }, { code: 'oidc.token.notJson' }],
  [{ kind: 'status', status: 429, retryAfterSeconds: 17 }, { retryAfterSeconds: 17 }],
  [{ kind: 'oauthError', error: 'unauthorized_client' }, { code: 'oidc.token.error' }],
])('a provider that fails: %j', async (fault, refusal) => {
  const bench = open();
  provider.setFault('token', fault);
  expect(await bench.renew()).toMatchObject({ ok: false, reason: 'provider', ...refusal });
  expect(await bench.account.current()).toBeNull();
  provider.clearFaults();
  expect((await bench.renew()).ok).toBe(true);
});

test('its token can be exchanged for an audience', async () => {
  const bench = open();
  const renewed = await bench.renew();
  const exchanged = renewed.ok && (await bench.account.exchange(renewed.credential, 'prod', noSignal));
  expect(exchanged).toMatchObject({ ok: true });
  expect(decodeJwt((exchanged && tokenOf(exchanged)) as string)).toMatchObject({
    aud: 'prod',
    sub: provider.confidentialClient.id,
  });
});

describe('logout', () => {
  test('forgets the token and revokes it', async () => {
    const bench = open();
    const token = tokenOf(await bench.renew());
    expect(await bench.account.logout()).toMatchObject({ hadSession: true, revocation: 'revoked' });
    expect(await bench.account.current()).toBeNull();
    expect(provider.knows(String(token))).toBe(false);
    expect(await bench.account.logout()).toMatchObject({ hadSession: false, revocation: 'nothing' });
  });

  test('in the middle of a request: its token is revoked, too, and not cached', async () => {
    const bench = open();
    provider.setFault('token', { kind: 'slow', milliseconds: 100, when: 'after' });
    const before = { tokens: asked(), revocations: provider.counts.requests.revocation };
    const renewal = bench.renew();
    await expect.poll(asked).toBe(before.tokens + 1);
    expect(await bench.account.logout()).toMatchObject({ hadSession: true, revocation: 'revoked' });
    expect(await renewal).toMatchObject({ ok: false });
    expect(await bench.account.current()).toBeNull();
    expect(provider.counts.requests.revocation).toBe(before.revocations + 1);
  });
});
