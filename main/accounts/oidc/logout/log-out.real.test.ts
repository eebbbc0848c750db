import { describe, expect, test } from 'vitest';
import { providerForFile } from '../../../../test/support/openid/for-file.ts';
import { type Fault, fingerprint } from '../../../../test/support/openid-provider.ts';
import { Secret } from '../../../base/secret.ts';
import { BrokerError } from '../../../contract/broker-error.ts';

const { provider, open, loggedIn } = await providerForFile();

const outcome = (hadSession: boolean, revocation: string) => ({
  hadSession,
  revocation,
  endSessionUrl: null,
});
const revocations = () => provider.counts.requests.revocation;

test('the session is forgotten on disk, in both generations, before the provider is told', async () => {
  const bench = await loggedIn();
  const refreshToken = bench.session().refreshToken?.reveal() ?? '';
  expect(provider.knows(refreshToken)).toBe(true);
  const before = revocations();
  bench.vault.beforeWrite = () => expect(revocations()).toBe(before);
  expect(await bench.account.logout()).toEqual(outcome(true, 'revoked'));
  expect(bench.vault.writes.at(-1)).toMatchObject({ bothGenerations: true, content: { sessions: {} } });
  expect(provider.knows(refreshToken)).toBe(false);
  expect(provider.lastRequest('revocation')?.form).toEqual({
    token: refreshToken,
    token_type_hint: 'refresh_token',
    client_id: provider.clientId,
  });
});

test.each(['access', 'id'] as const)(
  'without a refresh token the access token is revoked (token: %s)',
  async (token) => {
    const bench = await loggedIn({ config: { token } });
    bench.change({ refreshToken: null });
    const before = revocations();
    expect(await bench.account.logout()).toMatchObject({ hadSession: true, revocation: 'revoked' });
    expect(revocations()).toBe(before + 1);
  },
);

test('an id token alone can’t be revoked', async () => {
  const bench = await loggedIn();
  bench.change({ refreshToken: null, accessToken: null });
  const before = revocations();
  expect(await bench.account.logout()).toMatchObject({ hadSession: true, revocation: 'nothing' });
  expect(revocations()).toBe(before);
});

test('here alone: a provider that no one has approved in this form hears nothing, in either flow', async () => {
  for (const flow of ['auto', 'clientCredentials'] as const) {
    const before = await loggedIn();
    // The same issuer and client, by another way: what a pending change may say.
    const bench = open({ vault: before.vault, config: { flow } });
    const asked = { ...provider.counts.requests };
    let forgotten = 0;
    expect(await bench.account.logout(() => void forgotten++, { isHere: true })).toEqual(
      outcome(true, 'failed'),
    );
    expect(provider.counts.requests).toEqual(asked);
    expect([forgotten, bench.vault.content.sessions]).toEqual([1, {}]);
  }
});

test('no one logged in: the provider is not asked', async () => {
  const bench = open();
  const before = provider.counts.requests.discovery;
  expect(await bench.account.logout()).toEqual(outcome(false, 'nothing'));
  expect(provider.counts.requests.discovery).toBe(before);
});

describe('what goes wrong at the provider undoes nothing', () => {
  test.each<[Fault]>([
    [{ kind: 'down' }],
    [{ kind: 'status', status: 500 }],
    [{ kind: 'status', status: 302 }],
    [{ kind: 'oauthError', error: 'unsupported_token_type' }],
    [{ kind: 'huge' }],
  ])('%j', async (fault) => {
    const bench = await loggedIn();
    provider.setFault('revocation', fault);
    expect(await bench.account.logout()).toMatchObject({ hadSession: true, revocation: 'failed' });
    expect(bench.vault.content.sessions).toEqual({});
    expect(JSON.stringify(bench.log.lines)).toContain('oidc.revocation.failed');
  });

  test('a provider that can’t be reached, or says nothing of revocation', async () => {
    const bench = await loggedIn();
    bench.clock.advance(3_600_000);
    await provider.stopListening();
    try {
      expect(await bench.account.logout()).toMatchObject({ hadSession: true, revocation: 'failed' });
    } finally {
      await provider.resumeListening();
    }
    provider.setDiscovery({ revocation_endpoint: undefined });
    const other = await loggedIn();
    expect(await other.account.logout()).toMatchObject({ hadSession: true, revocation: 'notOffered' });
  });

  test('a revocation endpoint over http gets nothing', async () => {
    provider.setDiscovery({ revocation_endpoint: 'http://id.example.com/revoke' });
    const bench = await loggedIn();
    expect(await bench.account.logout()).toMatchObject({ revocation: 'failed' });
  });

  test('a session of another issuer or client: its token is shown to no one', async () => {
    const bench = await loggedIn();
    bench.change({ issuer: 'https://other.example.com' });
    const before = revocations();
    expect(await bench.account.logout()).toEqual(outcome(true, 'failed'));
    expect(revocations()).toBe(before);
    expect(bench.vault.content.sessions).toEqual({});
  });
});

describe('the provider’s page that ends its own session', () => {
  test.each<[endpoint: string, url: string | null]>([
    ['https://id.example.com/logout', 'https://id.example.com/logout?client_id=kubernetes'],
    ['https://id.example.com/logout?a=b', 'https://id.example.com/logout?a=b&client_id=kubernetes'],
    ['http://id.example.com/logout', null],
    ['https://me@id.example.com/logout', null],
    ['javascript:alert(1)', null],
    ['file:///etc/passwd', null],
  ])('%s: %s', async (endpoint, url) => {
    provider.setDiscovery({ end_session_endpoint: endpoint });
    const bench = await loggedIn();
    expect(await bench.account.logout()).toMatchObject({ revocation: 'revoked', endSessionUrl: url });
  });
});

describe('a logout in the middle of a renewal', () => {
  test('waits for it, and the refresh token that it brings is revoked too', async () => {
    const bench = await loggedIn();
    provider.setFault('token', { kind: 'slow', milliseconds: 100, when: 'after' });
    const before = { refreshes: provider.refreshes.length, revocations: revocations() };
    const renewal = bench.renew();
    await expect.poll(() => provider.refreshes.length).toBe(before.refreshes + 1);
    expect(await bench.account.logout()).toMatchObject({ hadSession: true, revocation: 'revoked' });
    expect(await renewal).toMatchObject({ ok: false, code: 'oidc.session.changed' });
    expect(bench.vault.content.sessions).toEqual({});
    // The one that was used, and the one that came for it.
    expect(revocations()).toBe(before.revocations + 2);
    expect([...provider.issued].filter((token) => isOf(token, provider.refreshes.at(-1)))).not.toEqual([]);
    for (const token of provider.issued) {
      expect(isOf(token, provider.refreshes.at(-1)) && provider.knows(token)).toBe(false);
    }
  });

  test('a renewal’s token is left alone where someone has logged in again', async () => {
    const bench = await loggedIn();
    provider.setFault('token', { kind: 'slow', milliseconds: 100, when: 'after' });
    const before = { refreshes: provider.refreshes.length, revocations: revocations() };
    const renewal = bench.renew();
    await expect.poll(() => provider.refreshes.length).toBe(before.refreshes + 1);
    bench.change({ loggedInAt: 1, refreshToken: new Secret('of the new login') });
    expect(await renewal).toMatchObject({ ok: false, code: 'oidc.session.changed' });
    expect(revocations()).toBe(before.revocations);
  });

  test('an answer that the disk didn’t take is the one that is revoked', async () => {
    const bench = await loggedIn();
    bench.vault.beforeWrite = (next) => {
      if (next.sessions['corp']?.generation === 2) {
        throw new BrokerError('vault.diskFull', 'the disk is full');
      }
    };
    expect(await bench.renew()).toMatchObject({ code: 'vault.diskFull' });
    const onDisk = bench.session().refreshToken?.reveal();
    await bench.account.logout();
    expect(provider.lastRequest('revocation')?.form['token']).not.toBe(onDisk);
    // Nothing of it comes back with the next call.
    expect(await bench.renew()).toMatchObject({ code: 'oidc.login.needed' });
    expect(bench.vault.content.sessions).toEqual({});
  });
});

function isOf(token: string, record: { issued: string | null } | undefined): boolean {
  return record !== undefined && fingerprint(token) === record.issued;
}
