import { describe, expect, test } from 'vitest';
import { providerForFile } from '../../../test/support/openid/for-file.ts';
import { startOpenIdProvider } from '../../../test/support/openid-provider.ts';
import { session } from '../../../test/support/vault-parts.ts';
import { Secret } from '../../base/secret.ts';
import { SingleFlight } from '../../base/single-flight.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import type { Obtained } from '../../ports/account.ts';
import { FakeVault } from '../testing/fake-vault.ts';
import { createOidcBench, noSignal } from '../testing/oidc-bench.ts';
import { createOidcAccount } from './oidc-account.ts';

const wish = { flow: null, atThisMachine: true };
const mutePrompter = { showBrowserPage: () => undefined, showDeviceCode: () => undefined };

const { provider, open, loggedIn } = await providerForFile();

const tokenOf = (found: Obtained | null) => (found?.ok ? found.credential.token?.reveal() : found);
const refreshCount = () => provider.counts.tokenRequests.refresh_token;

describe('login', () => {
  test('KEP-541/tokens, KEP-541/expiry: a device login gives an id token with its life, and pins the session', async () => {
    const bench = open();
    expect(await bench.account.current()).toBeNull();
    expect(await bench.renew()).toMatchObject({ reason: 'loginNeeded', code: 'oidc.login.needed' });
    expect(await bench.account.state()).toMatchObject({ state: 'loginNeeded' });

    expect(await bench.login()).toEqual({
      ok: true,
      subject: 'alice',
      displayName: 'alice@example.com',
      issuer: provider.issuer,
      flow: 'device',
      note: null,
    });
    const held = await bench.account.current();
    expect(held).toMatchObject({ ok: true, credential: { certificate: null } });
    const life = held?.ok ? (held.credential.expiresAt ?? 0) - (held.credential.issuedAt ?? 0) : 0;
    expect(life).toBe(600_000);
    expect(bench.session()).toMatchObject({
      issuer: provider.issuer,
      clientId: provider.clientId,
      subject: 'alice',
      generation: 1,
      intent: null,
      claims: { groups: ['developers'] },
    });
    expect(await bench.account.state()).toMatchObject({ state: 'ready', subject: 'alice@example.com' });
  });

  test('shows the code with addresses that may be opened', async () => {
    const bench = open();
    const abort = new AbortController();
    const shown = await new Promise((resolve) => {
      void bench.account.login({ ...mutePrompter, showDeviceCode: resolve }, wish, abort.signal);
    });
    abort.abort();
    expect(shown).toMatchObject({
      verificationUri: `${provider.issuer}/device`,
      verificationUriComplete: expect.stringContaining(`${provider.issuer}/device?user_code=`),
      userCode: expect.stringMatching(/^\S{4,}$/),
      expiresInSeconds: 300,
    });
  });

  test('a cancel ends it at once, in the middle of a wait, and stores nothing', async () => {
    const bench = open();
    bench.clock.gate = new Promise(() => undefined);
    const abort = new AbortController();
    const outcome = await bench.account.login(
      { ...mutePrompter, showDeviceCode: () => abort.abort() },
      wish,
      abort.signal,
    );
    expect(outcome).toMatchObject({ ok: false, reason: 'timedOut', code: 'oidc.cancelled' });
    expect(bench.vault.writes).toEqual([]);
  });

  test.each(['discovery', 'device_authorization'] as const)(
    'a cancel ends it at once while the provider is silent (%s)',
    async (endpoint) => {
      const bench = open();
      provider.setFault(endpoint, { kind: 'slow', milliseconds: 600_000 });
      const abort = new AbortController();
      const before = provider.counts.requests[endpoint];
      const outcome = bench.account.login(mutePrompter, wish, abort.signal);
      await expect.poll(() => provider.counts.requests[endpoint]).toBe(before + 1);
      abort.abort();
      expect(await outcome).toMatchObject({ code: 'oidc.cancelled' });
    },
  );

  test('a code that runs out is "timed out", whoever notices first', async () => {
    const bench = open();
    const outcome = await bench.login('alice', async () => provider.expireDeviceCodes());
    expect(outcome).toMatchObject({ reason: 'timedOut', code: 'oidc.device.expired' });

    const polls = provider.counts.tokenRequests.device_code;
    provider.setFault('token', { kind: 'oauthError', error: 'authorization_pending' });
    const other = open();
    expect(await other.login('alice', async () => other.clock.advance(299_000))).toMatchObject({
      code: 'oidc.device.expired',
    });
    expect(provider.counts.tokenRequests.device_code).toBe(polls);
  });

  test('asks as often as the provider says, and less often when told to slow down', async () => {
    const bench = open();
    provider.setFault('token', { kind: 'oauthError', error: 'slow_down' });
    await bench.login('alice', async () => bench.clock.advance(270_000));
    expect(bench.clock.waits).toEqual([1000, 6000, 11_000, 16_000]);
  });

  test('an interval longer than any timer is no storm of polls', async () => {
    const slow = await startOpenIdProvider({ pollSeconds: 10_000_000 });
    const bench = createOidcBench(createOidcAccount, slow);
    const outcome = await bench.login('alice', async () => undefined);
    expect(outcome).toMatchObject({ code: 'oidc.device.expired' });
    expect(bench.clock.waits).toEqual([slow.lifetimes.deviceCodeSeconds * 1000]);
    await slow.dispose();
  });

  test('goes on when the network comes back', async () => {
    const bench = open();
    const outcome = bench.login('alice', async (code) => {
      await provider.person.approveDevice(code);
      provider.setFault('token', { kind: 'status', status: 503 });
      const after = bench.clock.after.bind(bench.clock);
      bench.clock.after = (milliseconds, run) => {
        if (milliseconds > 2000) {
          provider.clearFaults();
        }
        return after(milliseconds, run);
      };
    });
    expect(await outcome).toMatchObject({ ok: true });
    expect(bench.clock.waits).toEqual([1000, 2000, 4000]);
  });

  test('a login as another user is refused, and the session stays', async () => {
    const bench = await loggedIn();
    const before = bench.session();
    expect(await bench.login('bob')).toMatchObject({
      ok: false,
      reason: 'denied',
      code: 'oidc.subject.other',
      message: expect.stringMatching(
        /^corp is logged in as alice@example.com .*this login was as bob@example.com$/,
      ),
      hint: 'run lanyard logout corp first',
    });
    expect(bench.session()).toEqual(before);
    expect(await bench.login('alice')).toMatchObject({ ok: true });
  });

  test('a session of another issuer is not replaced, and no code is shown', async () => {
    const bench = await loggedIn();
    bench.change({ issuer: 'https://old.example.com' });
    const codes = provider.counts.requests.device_authorization;
    expect(await bench.account.current()).toBeNull();
    expect(await bench.account.state()).toMatchObject({ state: 'loginNeeded' });
    expect(await bench.login()).toMatchObject({ reason: 'denied', code: 'oidc.subject.other' });
    expect(provider.counts.requests.device_authorization).toBe(codes);
  });

  const logInAnotherWay = ({ vault }: ReturnType<typeof open>) => {
    vault.content = {
      ...vault.content,
      sessions: { corp: { ...session('other'), issuer: provider.issuer } },
    };
  };
  test.each<[string, (bench: ReturnType<typeof open>) => unknown, string]>([
    ['logged out', (bench) => bench.account.logout(), 'oidc.session.changed'],
    ['changed in the config', ({ current }) => Object.assign(current, { is: false }), 'oidc.session.changed'],
    ['locked', ({ vault }) => Object.assign(vault, { locked: true }), 'vault.locked'],
    ['logged in by another way', logInAnotherWay, 'oidc.session.changed'],
  ])('an account that was %s meanwhile gets no session', async (_name, meanwhile, code) => {
    for (const bench of [open(), await loggedIn()]) {
      let after: unknown;
      const outcome = await bench.login('alice', async (userCode) => {
        await provider.person.approveDevice(userCode);
        await meanwhile(bench);
        after = bench.vault.content;
      });
      expect(outcome).toMatchObject({ ok: false, code });
      expect(bench.vault.content).toBe(after);
    }
  });

  test('without a refresh token it works, and says what comes', async () => {
    const bench = await loggedIn({ config: { scopes: ['openid', 'email'] } });
    expect(bench.session().refreshToken).toBeNull();
    expect((await bench.account.current())?.ok).toBe(true);
    expect(await bench.account.state()).toMatchObject({
      state: 'ready',
      problem: expect.stringContaining('log in again when the token expires'),
    });
    bench.clock.advance(601_000);
    expect(await bench.account.current()).toBeNull();
    expect(await bench.account.state()).toMatchObject({ state: 'loginNeeded' });
    expect(await bench.renew()).toMatchObject({ reason: 'loginNeeded', code: 'oidc.login.needed' });
  });

  test('token: access issues the access token until the earlier of what is said of it', async () => {
    const bench = await loggedIn({ config: { token: 'access' } });
    const held = await bench.account.current();
    expect(held).toMatchObject({ ok: true, credential: { expiresAt: bench.clock.now() + 600_000 } });
    expect(tokenOf(held)).not.toContain('.');
    const renewed = await bench.renew();
    expect(tokenOf(renewed)).not.toBe(tokenOf(held));
  });

  test('a client with a secret authenticates with it', async () => {
    const { id, secret } = provider.confidentialClient;
    const vault = new FakeVault({ secrets: { corp: { clientSecret: new Secret(secret) } } });
    const bench = await loggedIn({ config: { clientId: id }, vault });
    expect((await bench.renew()).ok).toBe(true);

    vault.content = { ...vault.content, secrets: { corp: { clientSecret: new Secret('wrong') } } };
    expect(await bench.renew()).toMatchObject({ reason: 'provider', code: 'oidc.client.rejected' });
    expect(bench.session()).toMatchObject({ intent: null });
    expect(bench.session().refreshToken).not.toBeNull();
  });
});

describe('renewal', () => {
  test('KEP-541/rotation: rotates: the intent is on disk before the request, the answer before the hand-out', async () => {
    const bench = await loggedIn();
    const first = bench.session();
    const requests: number[] = [];
    bench.vault.beforeWrite = () => void requests.push(refreshCount());
    const start = refreshCount();
    const renewed = await bench.renew();
    expect(requests).toEqual([start, start + 1]);
    const [login, intent, answer] = bench.vault.writes.map((write) => write.content.sessions['corp']);
    expect(login?.intent).toBeNull();
    expect(intent).toEqual({ ...first, intent: { at: bench.clock.now() } });
    expect(answer).toMatchObject({ generation: 2, intent: null, subject: 'alice' });
    expect(answer?.refreshToken?.reveal()).not.toBe(first.refreshToken?.reveal());
    expect(tokenOf(renewed)).toBe(answer?.token?.value.reveal());
    expect(tokenOf(renewed)).not.toBe(first.token?.value.reveal());
    expect((await bench.renew()).ok).toBe(true);
    expect(bench.session().generation).toBe(3);
  });

  test('many at once are one use of the refresh token, through two account objects too', async () => {
    const renewals = new SingleFlight<string, Obtained>();
    const bench = await loggedIn({ renewals });
    const successor = open({ vault: bench.vault, renewals });
    const before = refreshCount();
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 ? bench : successor).renew()),
    );
    expect(refreshCount()).toBe(before + 1);
    expect(new Set(all.map(tokenOf)).size).toBe(1);
  });

  test('KEP-541/valid-or-error: an expired token is not cached; renewing brings a good one', async () => {
    const bench = await loggedIn();
    const { token } = bench.session();
    bench.change({ token: token && { ...token, expiresAt: bench.clock.now() } });
    expect(await bench.account.current()).toBeNull();
    expect((await bench.renew()).ok).toBe(true);
  });

  test('who stops waiting does not stop the renewal: its answer reaches the vault', async () => {
    const bench = await loggedIn();
    const abort = new AbortController();
    bench.vault.beforeWrite = () => abort.abort();
    expect(await bench.account.renew(abort.signal)).toMatchObject({ code: 'oidc.cancelled' });
    await expect.poll(() => bench.session().generation).toBe(2);
  });

  test('a session that the provider ended needs a login, and is not tried again', async () => {
    const bench = await loggedIn();
    provider.revokeRefreshTokens('alice');
    expect(await bench.renew()).toMatchObject({
      ok: false,
      reason: 'loginNeeded',
      code: 'oidc.session.ended',
      hint: 'lanyard login corp',
    });
    expect(bench.session()).toMatchObject({ refreshToken: null, intent: null, interrupted: false });
    const before = refreshCount();
    expect(await bench.renew()).toMatchObject({ reason: 'loginNeeded' });
    expect(refreshCount()).toBe(before);
    expect((await bench.account.current())?.ok).toBe(true);
  });

  test.each([
    ['invalid_grant', 'oidc.session.ended', 'the provider ended the session of corp'],
    ['interaction_required', 'oidc.session.interactionRequired', 'requires you to log in to corp again'],
  ])(
    'why the session ended (%s) is told until the next login, after a restart, too',
    async (error, code, what) => {
      const bench = await loggedIn({ config: { scopes: ['openid', 'email', 'groups'] } });
      bench.change({ refreshToken: new Secret('one') });
      const description = `Session not active\u001b[2J ${'x'.repeat(500)}`;
      provider.setFault('token', { kind: 'oauthError', error, description });
      const first = await bench.renew();
      const { ended } = bench.session();
      expect(ended?.said.length).toBeLessThanOrEqual(300);

      // Another process, that has nothing but the vault.
      const restarted = open({ vault: bench.vault, config: { scopes: ['openid', 'email', 'groups'] } });
      for (const told of [first, await bench.renew(), await restarted.renew()]) {
        expect(told).toMatchObject({ ok: false, reason: 'loginNeeded', code, hint: 'lanyard login corp' });
        expect(told).toMatchObject({
          message: expect.stringMatching(`${what}.*${error}: Session not active`),
        });
        expect(JSON.stringify(told)).not.toMatch(/offline_access|u001b/);
      }
      expect(await restarted.account.state()).toMatchObject({
        state: 'ready',
        byHand: true,
        problem: expect.stringMatching(`${what}.*Session not active.*log in again when the token expires`),
      });
      restarted.clock.advance(601_000);
      expect(await restarted.account.state()).toMatchObject({
        state: 'loginNeeded',
        problem: expect.stringContaining('Session not active'),
      });
      const findings = await restarted.account.examine(noSignal);
      expect(findings[0]).toMatchObject({ message: expect.stringContaining('Session not active') });

      provider.clearFaults();
      expect(await restarted.login()).toMatchObject({ ok: true });
      expect(restarted.session().ended).toBeNull();
      expect((await restarted.account.state()).problem).not.toContain('Session not active');
    },
  );

  test('after a crash with an open intent the old token is tried; where the provider takes it all goes on', async () => {
    const bench = await loggedIn();
    bench.change({ intent: { at: 1 } });
    expect((await bench.renew()).ok).toBe(true);
    expect(bench.session()).toMatchObject({ generation: 2, intent: null, interrupted: false });
  });

  test('after a crash with an open intent and a used token: interrupted, once, quietly', async () => {
    const bench = await loggedIn();
    const before = bench.session();
    await bench.renew();
    bench.change({ ...before, intent: { at: 1 } });
    const tries = refreshCount();
    for (let round = 0; round < 3; round += 1) {
      expect(await bench.renew()).toMatchObject({
        reason: 'loginNeeded',
        code: 'oidc.session.interrupted',
        hint: 'lanyard login corp',
      });
    }
    expect(refreshCount()).toBe(tries + 1);
    expect(bench.session()).toMatchObject({ interrupted: true, refreshToken: null, intent: null });
    expect(await bench.account.state()).toMatchObject({ state: 'interrupted' });
    expect(await bench.login()).toMatchObject({ ok: true });
    expect(await bench.account.state()).toMatchObject({ state: 'ready' });
  });

  test('a request that never left clears its own intent, not that of an earlier one', async () => {
    const bench = await loggedIn();
    await provider.stopListening();
    try {
      expect(await bench.renew()).toMatchObject({ code: 'oidc.token.unreachable' });
      expect(bench.session().intent).toBeNull();
      bench.change({ intent: { at: 1 } });
      expect(await bench.renew()).toMatchObject({ code: 'oidc.token.unreachable' });
      expect(bench.session().intent).toEqual({ at: 1 });
    } finally {
      await provider.resumeListening();
    }
    bench.change({ intent: null });
    expect((await bench.renew()).ok).toBe(true);
  });

  test('a request that the provider refused for another reason keeps an earlier intent', async () => {
    const bench = await loggedIn();
    bench.change({ intent: { at: 1 } });
    provider.setFault('token', { kind: 'oauthError', error: 'invalid_scope' });
    expect(await bench.renew()).toMatchObject({ code: 'oidc.token.error' });
    expect(bench.session().intent).toEqual({ at: 1 });
  });

  test('another subject or issuer in the answer is dropped, the session stays', async () => {
    const bench = await loggedIn();
    bench.change({ subject: 'bob' });
    const before = bench.session();
    expect(await bench.renew()).toMatchObject({ reason: 'provider', code: 'oidc.subject.changed' });
    expect(bench.session()).toEqual({ ...before, intent: { at: bench.clock.now() } });

    const other = await loggedIn();
    const start = other.session();
    provider.setFault('token', { kind: 'wrongIssuer' });
    expect(await other.renew()).toMatchObject({ reason: 'provider', code: 'oidc.subject.changed' });
    expect(other.session()).toEqual({ ...start, intent: { at: other.clock.now() } });
  });

  test.each([[false], [true]])(
    'a token signed with an unknown key is not used, and the rotated refresh token is not lost (known id: %s)',
    async (sameKeyId) => {
      const bench = await loggedIn();
      const before = bench.session();
      provider.setFault('token', { kind: 'unknownKey', sameKeyId });
      expect(await bench.renew()).toMatchObject({ reason: 'provider', code: 'oidc.token.signature' });
      expect(bench.session()).toMatchObject({ generation: 1, intent: null, token: before.token });
      provider.clearFaults();
      expect((await bench.renew()).ok).toBe(true);
    },
  );

  test('a provider that rotates its keys is followed', async () => {
    const bench = await loggedIn();
    await provider.rotateKeys({ keepOld: false });
    expect((await bench.renew()).ok).toBe(true);
  });

  test('a session restored from an older vault is not tried', async () => {
    const bench = await loggedIn();
    bench.change({ stale: true });
    const before = refreshCount();
    expect(await bench.renew()).toMatchObject({ reason: 'loginNeeded', code: 'oidc.session.stale' });
    expect(refreshCount()).toBe(before);
  });

  /** Runs `meanwhile` when the intent is on disk and the answer isn't. */
  function whileAsked(bench: ReturnType<typeof open>, meanwhile: () => unknown): void {
    bench.vault.beforeWrite = () => {
      bench.vault.beforeWrite = () => undefined;
      void bench.vault.update((content) => content).then(meanwhile);
    };
  }

  test.each<[string, (bench: ReturnType<typeof open>) => unknown]>([
    ['a logout', (bench) => bench.account.logout()],
    ['another login', (bench) => bench.change({ loggedInAt: 1, intent: null })],
    ['another login that is being renewed, too,', (bench) => bench.change({ loggedInAt: 1 })],
  ])('%s in the middle of a renewal is not undone', async (_name, meanwhile) => {
    const bench = await loggedIn();
    let after: unknown;
    whileAsked(bench, async () => {
      await meanwhile(bench);
      after = bench.vault.content.sessions['corp'];
    });
    const before = refreshCount();
    expect(await bench.renew()).toMatchObject({
      ok: false,
      reason: 'loginNeeded',
      code: 'oidc.session.changed',
    });
    expect(refreshCount()).toBe(before + 1);
    expect(bench.vault.content.sessions['corp']).toBe(after);
  });

  test('a lock between request and answer: nothing is issued', async () => {
    const bench = await loggedIn();
    whileAsked(bench, () => {
      bench.vault.locked = true;
    });
    expect(await bench.renew()).toMatchObject({ ok: false, reason: 'locked' });
    expect(await bench.account.current()).toMatchObject({ reason: 'locked' });
    expect(await bench.account.state()).toMatchObject({ state: 'locked' });
    expect(bench.vault.content.sessions['corp']).toMatchObject({ generation: 1, intent: expect.anything() });
  });

  test('a changed config in the middle: the rotated token is kept, nothing is issued', async () => {
    const bench = await loggedIn();
    bench.vault.beforeWrite = (next) => {
      bench.current.is = next.sessions['corp']?.generation === 1;
    };
    expect(await bench.renew()).toMatchObject({ ok: false, code: 'oidc.session.changed' });
    expect(bench.session()).toMatchObject({ generation: 2, intent: null });
  });

  test('an answer that the disk does not take is written by the next call, without another request', async () => {
    const bench = await loggedIn();
    bench.vault.beforeWrite = (next) => {
      if (next.sessions['corp']?.generation === 2) {
        throw new BrokerError('vault.diskFull', 'the disk is full');
      }
    };
    expect(await bench.renew()).toMatchObject({ code: 'vault.diskFull' });
    expect(bench.session()).toMatchObject({ generation: 1 });
    const before = refreshCount();
    expect(await bench.renew()).toMatchObject({ code: 'vault.diskFull' });
    bench.vault.beforeWrite = () => undefined;
    const renewed = await bench.renew();
    expect(refreshCount()).toBe(before);
    expect(bench.session()).toMatchObject({ generation: 2, intent: null });
    expect(tokenOf(renewed)).toBe(bench.session().token?.value.reveal());
    expect((await bench.renew()).ok).toBe(true);
  });
});
