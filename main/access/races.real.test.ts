import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fingerprint, type OpenIdProvider, startOpenIdProvider } from '../../test/support/openid-provider.ts';
import { type Outcome, RaceBench, type RaceCaller } from '../../test/support/race-bench.ts';
import { BrokerError } from '../contract/broker-error.ts';

/**
 * What crosses a refresh, an exchange or a login: a real provider that answers when the test says so, a clock that
 * stands still. No refresh token is lost or used twice, none comes back after somebody ended it, and each caller gets
 * what is good, or a reason.
 */
let provider: OpenIdProvider;
/** What a change from outside leads to. */
let elsewhere: OpenIdProvider;
let bench: RaceBench;

beforeAll(async () => {
  provider = await startOpenIdProvider({ exchangeAudiences: ['prod', 'staging'] });
  elsewhere = await startOpenIdProvider();
});
afterAll(() => Promise.all([provider.dispose(), elsewhere.dispose()]));
beforeEach(() => {
  provider.clearFaults();
  provider.tokenExchange?.records.splice(0);
  bench = new RaceBench(provider);
});
afterEach(() => bench.dispose());

/** A session whose token has ended; those that come next live for an hour. */
async function expired(): Promise<void> {
  provider.lifetimes.idTokenSeconds = 30;
  expect(await bench.logIn()).toMatchObject({ ok: true });
  provider.lifetimes.idTokenSeconds = 3600;
  bench.clock.advance(120_000);
}

/** The next request at the token endpoint is held back, before the provider handles it or before it answers. */
function hold(when: 'before' | 'after') {
  const gate = Promise.withResolvers<void>();
  const before = { requests: provider.counts.requests.token, handled: handled() };
  provider.setFault('token', { kind: 'held', until: gate.promise, when });
  return {
    /** It is there, and those that come after it are not held back. */
    async reached(): Promise<void> {
      await expect
        .poll(() =>
          when === 'after' ? handled() > before.handled : provider.counts.requests.token > before.requests,
        )
        .toBe(true);
      provider.clearFaults();
    },
    release: () => gate.resolve(),
  };
}

function exchanges(): number {
  return provider.tokenExchange?.records.length ?? 0;
}

function handled(): number {
  return Object.values(provider.counts.tokenRequests).reduce((sum, count) => sum + count, 0);
}

/** A refresh under way, for callers that have asked. */
async function refreshing(
  callers: Parameters<RaceBench['call']>[0][] = [{}, {}, { onTerminal: true }],
  when: 'before' | 'after' = 'after',
) {
  await expired();
  const held = hold(when);
  const waiting = callers.map((options) => bench.call(options));
  await held.reached();
  return { waiting, release: held.release };
}

/** A login under way, for a caller at a terminal and one who joined it; the provider has answered. */
async function loggingIn() {
  const caller = bench.call({ onTerminal: true });
  await expect.poll(() => caller.codes).toHaveLength(1);
  const second = bench.call();
  await bench.provider.person.approveDevice(caller.codes[0] ?? '');
  const held = hold('after');
  bench.clock.advance(1_000);
  await held.reached();
  return { waiting: [caller, second], release: held.release };
}

function outcomes(callers: readonly RaceCaller[]): Promise<Outcome[]> {
  return Promise.all(callers.map(({ outcome }) => outcome));
}

const refusedWith = (code: string) => ({ ok: false, code });
const tokenHeld = () => fingerprint(bench.session()?.token?.value.reveal() ?? '');

/** The session is there, with the one refresh token that is alive, and a caller gets its token. */
async function expectKept({ refreshes }: { refreshes: number }): Promise<void> {
  expectEachUsedOnce();
  expect(bench.refreshes()).toHaveLength(refreshes);
  const session = bench.session();
  expect(session).toMatchObject({ intent: null, interrupted: false });
  expect(provider.knows(session?.refreshToken?.reveal() ?? '')).toBe(true);
  expect(await bench.call().outcome).toMatchObject({ ok: true, token: tokenHeld() });
  expect(bench.refreshes()).toHaveLength(refreshes);
}

/** Not logged in, nothing is handed out or in the vault, and the provider takes none of the tokens. */
async function expectGone(): Promise<void> {
  expectEachUsedOnce();
  expect(bench.session()).toBeNull();
  for (const options of [{}, { audience: 'prod' }]) {
    expect(await bench.call(options).outcome).toEqual(refusedWith('oidc.login.needed'));
  }
  expect(bench.alive()).toEqual([]);
}

function expectEachUsedOnce(): void {
  const used = bench.refreshes().map(({ presented }) => presented);
  expect(new Set(used).size).toBe(used.length);
  expect(bench.refreshes().map(({ status }) => status)).toEqual(used.map(() => 200));
}

/** Nobody was asked to log in. */
function expectNoPage(callers: readonly RaceCaller[], logins = 1): void {
  expect(callers.flatMap(({ codes }) => codes)).toEqual([]);
  expect(bench.events.of('login')).toHaveLength(logins);
}

describe('during a refresh', () => {
  test('nothing: all get the one token', async () => {
    const { waiting, release } = await refreshing();
    release();
    for (const outcome of await outcomes(waiting)) {
      expect(outcome).toMatchObject({ ok: true, token: tokenHeld(), how: 'renewed' });
    }
    await expectKept({ refreshes: 1 });
  });

  test.each(['before', 'after'] as const)(
    'a logout, the provider delays it %s it handles it: no one gets the token, and no page opens',
    async (when) => {
      const { waiting, release } = await refreshing(undefined, when);
      const leaving = bench.logOut();
      await expect.poll(() => bench.session()).toBeNull();
      release();
      expect(await leaving).toMatchObject({ code: 0 });
      for (const outcome of await outcomes(waiting)) {
        expect(outcome).toEqual(refusedWith('oidc.session.changed'));
      }
      expectNoPage(waiting);
      await expectGone();
    },
  );

  test('a login as the same person: those who waited get the new one, and no second page opens', async () => {
    const { waiting, release } = await refreshing();
    expect(await bench.logIn()).toMatchObject({ ok: true });
    const loggedInAt = bench.session()?.loggedInAt;
    release();
    for (const outcome of await outcomes(waiting)) {
      expect(outcome).toMatchObject({ ok: true, token: tokenHeld() });
    }
    expectNoPage(waiting, 2);
    expect(bench.session()?.loggedInAt).toBe(loggedInAt);
    await expectKept({ refreshes: 1 });
  });

  test('a login as the same person: those with an audience get a token of the new session', async () => {
    const { waiting, release } = await refreshing([
      { audience: 'prod' },
      { audience: 'prod', onTerminal: true },
    ]);
    expect(await bench.logIn()).toMatchObject({ ok: true });
    release();
    for (const outcome of await outcomes(waiting)) {
      expect(outcome).toMatchObject({ ok: true });
    }
    expectNoPage(waiting, 2);
    await expectKept({ refreshes: 1 });
  });

  test('a logout and a new login, whose token ends: it is renewed when the old answer has come', async () => {
    const { waiting, release } = await refreshing();
    const leaving = bench.logOut();
    await expect.poll(() => bench.session()).toBeNull();
    provider.lifetimes.idTokenSeconds = 30;
    expect(await bench.logIn()).toMatchObject({ ok: true });
    provider.lifetimes.idTokenSeconds = 3600;
    bench.clock.advance(40_000);
    const after = [bench.call(), bench.call({ onTerminal: true })];
    release();
    for (const outcome of await outcomes(after)) {
      expect(outcome).toMatchObject({ ok: true, token: tokenHeld() });
    }
    await outcomes(waiting);
    await leaving;
    expectNoPage([...waiting, ...after], 2);
    expectEachUsedOnce();
  });

  test('a login as another user is refused, and the session goes on (rule: same-identity)', async () => {
    const { waiting, release } = await refreshing();
    expect(await bench.logIn('mallory')).toMatchObject({ ok: false, code: 'oidc.subject.other' });
    release();
    for (const outcome of await outcomes(waiting)) {
      expect(outcome).toMatchObject({ ok: true, token: tokenHeld() });
    }
    expect(bench.session()?.subject).toBe('alice');
    await expectKept({ refreshes: 1 });
  });

  test('a login under way that no one finishes delays no caller', async () => {
    await expired();
    const login = bench.beginLogin();
    await expect.poll(() => login.codes).toHaveLength(1);
    const { ok } = await bench.call().outcome;
    expect(ok).toBe(true);
    await expectKept({ refreshes: 1 });
  });

  test('a change of the configuration: what it brings is kept, those before it are told, no page opens', async () => {
    const { waiting, release } = await refreshing();
    bench.configure({ extraParams: { prompt: 'login' } });
    const after = [bench.call(), bench.call({ onTerminal: true }), bench.call({ audience: 'prod' })];
    release();
    for (const outcome of await outcomes(waiting)) {
      expect(outcome).toEqual(refusedWith('account.changed'));
    }
    for (const outcome of await outcomes(after)) {
      expect(outcome).toMatchObject({ ok: true });
    }
    expectNoPage([...waiting, ...after]);
    // The second is the new configuration's own: what it asks for may be another.
    await expectKept({ refreshes: 2 });
  });

  test('two changes of the configuration, there and back', async () => {
    const { waiting, release } = await refreshing();
    bench.configure({ extraParams: { prompt: 'login' } });
    const between = [bench.call(), bench.call({ onTerminal: true })];
    bench.configure({});
    const after = [bench.call(), bench.call({ onTerminal: true })];
    release();
    for (const outcome of await outcomes([...waiting, ...between])) {
      expect(outcome).toEqual(refusedWith('account.changed'));
    }
    for (const outcome of await outcomes(after)) {
      expect(outcome).toMatchObject({ ok: true });
    }
    expectNoPage([...waiting, ...between, ...after]);
    await expectKept({ refreshes: 2 });
  });

  test('the account is removed: no one gets the token', async () => {
    const { waiting, release } = await refreshing();
    bench.configure(null);
    await bench.vault.update((content) => ({ ...content, sessions: {} }), { bothGenerations: true });
    release();
    for (const outcome of await outcomes(waiting)) {
      expect(outcome).toEqual(refusedWith('oidc.session.changed'));
    }
    expectNoPage(waiting);
    bench.configure({});
    await expect.poll(() => bench.alive()).toEqual([]);
    await expectGone();
  });

  test('a lock: it waits for the answer, no one gets it, and it is in the vault after the unlock (rule: locked-issues-nothing)', async () => {
    const { waiting, release } = await refreshing();
    const closing = bench.lock.close('command');
    expect(await bench.call().outcome).toEqual(refusedWith('lock.closing'));
    release();
    await closing;
    for (const outcome of await outcomes(waiting)) {
      expect(outcome).toEqual(refusedWith('vault.locked'));
    }
    bench.unlock();
    expectNoPage(waiting);
    await expectKept({ refreshes: 1 });
  });

  test('a lock, and the provider answers too late: the old token is tried once after the unlock', async () => {
    const { waiting, release } = await refreshing();
    const closing = bench.lock.close('command');
    await Promise.resolve();
    bench.clock.advance(10_000);
    await closing;
    release();
    for (const outcome of await outcomes(waiting)) {
      expect(outcome.ok).toBe(false);
    }
    bench.unlock();
    expectNoPage(waiting);
    expect(await bench.call().outcome).toEqual(refusedWith('oidc.session.interrupted'));
    expect(await bench.call().outcome).toEqual(refusedWith('oidc.session.interrupted'));
    expect(bench.refreshes().map(({ status }) => status)).toEqual([200, 400]);
  });

  test('the disk takes no answer, and the configuration changes: it is written with the next call', async () => {
    const { waiting, release } = await refreshing();
    bench.vault.beforeWrite = (next) => {
      if (next.sessions['corp']?.generation === 2) {
        throw new BrokerError('vault.diskFull', 'the disk is full');
      }
    };
    release();
    for (const outcome of await outcomes(waiting)) {
      expect(outcome).toEqual(refusedWith('vault.diskFull'));
    }
    bench.configure({ extraParams: { prompt: 'login' } });
    bench.vault.beforeWrite = () => undefined;
    expect(await bench.call().outcome).toMatchObject({ ok: true, token: tokenHeld() });
    await expectKept({ refreshes: 1 });
  });

  test('the provider names a time (Retry-After): it holds for all audiences of the account', async () => {
    await expired();
    provider.setFault('token', { kind: 'status', status: 503, retryAfterSeconds: 60 });
    const before = provider.counts.requests.token;
    for (const audience of ['prod', 'staging', null, 'prod']) {
      expect(await bench.call({ audience }).outcome).toMatchObject({ ok: false });
    }
    expect(provider.counts.requests.token).toBe(before + 1);
    provider.clearFaults();
    bench.clock.advance(70_000);
    expect(await bench.call({ audience: 'staging' }).outcome).toMatchObject({ ok: true });
    await expectKept({ refreshes: 1 });
  });

  test('callers that leave: its answer is kept for the next one', async () => {
    const { waiting, release } = await refreshing();
    for (const caller of waiting) {
      caller.leave();
      await expect(caller.outcome).rejects.toThrow('the caller is gone');
    }
    const next = bench.call();
    release();
    expect(await next.outcome).toMatchObject({ ok: true, token: tokenHeld() });
    await expectKept({ refreshes: 1 });
  });

  test('a stop: it waits for the answer, which is on disk (rule: nothing-lost)', async () => {
    const { waiting, release } = await refreshing();
    const stopped = bench.grants.dispose();
    release();
    await stopped;
    expect(bench.session()).toMatchObject({ generation: 2, intent: null });
    await outcomes(waiting);
    await expectKept({ refreshes: 1 });
  });

  test.each([
    ['back by an hour', -3_600_000],
    ['forward by half an hour', 1_800_000],
  ])('the wall clock is set %s: the token is kept, and handed out', async (_name, milliseconds) => {
    const { waiting, release } = await refreshing();
    bench.clock.setWall(bench.clock.now() + milliseconds);
    release();
    for (const outcome of await outcomes(waiting)) {
      expect(outcome).toMatchObject({ ok: true, token: tokenHeld() });
    }
    await expectKept({ refreshes: 1 });
  });

  test('the wall clock is set past the new token’s end: it is kept, and not issued', async () => {
    const { waiting, release } = await refreshing();
    const wall = bench.clock.now();
    bench.clock.setWall(wall + 7_200_000);
    release();
    for (const outcome of await outcomes(waiting)) {
      expect(outcome).toEqual(refusedWith('oidc.token.clock'));
    }
    bench.clock.setWall(wall);
    await expectKept({ refreshes: 1 });
  });
});

describe('while there is life in the token', () => {
  /** A token with 20 s of its ten minutes left: less than the margin. */
  async function due(): Promise<void> {
    provider.lifetimes.idTokenSeconds = 600;
    expect(await bench.logIn()).toMatchObject({ ok: true });
    provider.lifetimes.idTokenSeconds = 3600;
    const end = bench.session()?.token?.expiresAt ?? 0;
    bench.clock.advance(end - bench.clock.now() - 20_000);
  }

  test('a provider that is slow: it is issued after a while, and the answer is kept', async () => {
    await due();
    const old = tokenHeld();
    const held = hold('after');
    const caller = bench.call();
    await held.reached();
    bench.clock.advance(5_000);
    expect(await caller.outcome).toMatchObject({ ok: true, token: old, how: 'held' });
    const next = bench.call();
    held.release();
    expect(await next.outcome).toMatchObject({ ok: true, token: tokenHeld(), how: 'renewed' });
    await expectKept({ refreshes: 1 });
  });

  test('and little life: it is issued before it ends', async () => {
    await due();
    bench.clock.advance(16_000);
    const old = tokenHeld();
    const held = hold('after');
    const caller = bench.call();
    await held.reached();
    bench.clock.advance(2_000);
    expect(await caller.outcome).toMatchObject({ ok: true, token: old, how: 'held' });
    held.release();
    await bench.call().outcome;
    await expectKept({ refreshes: 1 });
  });

  test('KEP-541/valid-or-error: it ends while a slow provider is waited for: the caller gets the next one', async () => {
    await due();
    bench.clock.advance(18_000);
    const held = hold('after');
    const caller = bench.call();
    await held.reached();
    bench.clock.advance(5_000);
    held.release();
    expect(await caller.outcome).toMatchObject({ ok: true, token: tokenHeld(), how: 'renewed' });
    await expectKept({ refreshes: 1 });
  });

  test('a logout while a slow provider is waited for: the old one is not issued either', async () => {
    await due();
    const held = hold('after');
    const caller = bench.call({ onTerminal: true });
    await held.reached();
    const leaving = bench.logOut();
    await expect.poll(() => bench.session()).toBeNull();
    bench.clock.advance(5_000);
    expect((await caller.outcome).ok).toBe(false);
    held.release();
    await leaving;
    expectNoPage([caller]);
    await expectGone();
  });
});

describe('during an exchange', () => {
  async function exchanging(callers: Parameters<RaceBench['call']>[0][] = [{ audience: 'prod' }]) {
    expect(await bench.logIn()).toMatchObject({ ok: true });
    const held = hold('after');
    const waiting = callers.map((options) => bench.call(options));
    await held.reached();
    return { waiting, release: held.release };
  }

  test('two audiences at once: one refresh, and each gets its own', async () => {
    const { waiting, release } = await refreshing([
      { audience: 'prod' },
      { audience: 'staging' },
      {},
      { audience: 'prod' },
    ]);
    release();
    const tokens = await outcomes(waiting);
    expect(tokens.map(({ ok }) => ok)).toEqual([true, true, true, true]);
    expect(new Set(tokens.map((each) => each.ok && each.token)).size).toBe(3);
    await expectKept({ refreshes: 1 });
  });

  test('a logout: no one gets the token', async () => {
    const { waiting, release } = await exchanging();
    await bench.logOut();
    release();
    expect(await outcomes(waiting)).toEqual([refusedWith('grant.lost')]);
    await expectGone();
  });

  test('a logout and a new login: the next caller waits for no answer from before, and no page opens', async () => {
    const { waiting, release } = await exchanging();
    await bench.logOut();
    expect(await bench.logIn()).toMatchObject({ ok: true });
    const after = [bench.call({ audience: 'prod' }), bench.call({ audience: 'prod', onTerminal: true })];
    await expect.poll(() => exchanges()).toBe(2);
    release();
    const all = [...waiting, ...after];
    expect(await outcomes(all)).toMatchObject(all.map(() => ({ ok: true })));
    expectNoPage(all, 2);
    await expectKept({ refreshes: 0 });
  });

  test('that begins while the logout is being written: no one gets the token, then or later', async () => {
    expect(await bench.logIn()).toMatchObject({ ok: true });
    const written = Promise.withResolvers<void>();
    bench.vault.beforeWrite = () => written.promise;
    provider.setFault('revocation', { kind: 'held', until: written.promise, when: 'before' });
    const revocation = Promise.withResolvers<void>();
    const leaving = bench.logOut();
    const held = hold('after');
    const caller = bench.call({ audience: 'prod' });
    await held.reached();
    provider.setFault('revocation', { kind: 'held', until: revocation.promise, when: 'before' });
    written.resolve();
    await expect.poll(() => bench.session()).toBeNull();
    held.release();
    expect((await caller.outcome).ok).toBe(false);
    expect((await bench.call({ audience: 'prod' }).outcome).ok).toBe(false);
    revocation.resolve();
    await leaving;
    await expectGone();
  });

  test('a change of the configuration: those before it are told, those after it get theirs', async () => {
    const { waiting, release } = await exchanging();
    bench.configure({ extraParams: { prompt: 'login' } });
    expect(await bench.call({ audience: 'prod' }).outcome).toMatchObject({ ok: true });
    release();
    expect((await outcomes(waiting))[0]?.ok).toBe(false);
    await expectKept({ refreshes: 0 });
  });

  test('a lock, then an unlock: those before it get nothing', async () => {
    const { waiting, release } = await exchanging();
    const closing = bench.lock.close('command');
    release();
    await closing;
    expect((await outcomes(waiting))[0]?.ok).toBe(false);
    expect(await bench.call({ audience: 'prod' }).outcome).toEqual(refusedWith('vault.locked'));
    bench.unlock();
    expect(await bench.call({ audience: 'prod' }).outcome).toMatchObject({ ok: true });
    await expectKept({ refreshes: 0 });
  });

  test('the session’s own token ends meanwhile: the caller gets the exchanged one', async () => {
    provider.lifetimes.idTokenSeconds = 30;
    const { waiting, release } = await exchanging();
    provider.lifetimes.idTokenSeconds = 3600;
    bench.clock.advance(40_000);
    release();
    expect(await outcomes(waiting)).toMatchObject([{ ok: true }]);
    expect(await bench.call({ audience: 'prod' }).outcome).toMatchObject({ ok: true, how: 'held' });
    expect(await bench.call().outcome).toMatchObject({ ok: true, how: 'renewed' });
    await expectKept({ refreshes: 1 });
  });
});

describe('during a login', () => {
  test('nothing: all get its token', async () => {
    const { waiting, release } = await loggingIn();
    release();
    for (const outcome of await outcomes(waiting)) {
      expect(outcome).toMatchObject({ ok: true, token: tokenHeld(), how: 'loggedIn' });
    }
    await expectKept({ refreshes: 0 });
  });

  test.each<[string, () => unknown, string]>([
    ['a logout', () => bench.logOut(), 'login.cancelled'],
    ['a change of the configuration', () => bench.configure({ clientId: 'other' }), 'login.cancelled'],
    [
      'two changes, there and back',
      () => {
        bench.configure({ clientId: 'other' });
        bench.configure({});
      },
      'login.cancelled',
    ],
    ['the account’s removal', () => bench.configure(null), 'login.cancelled'],
    ['a lock', () => bench.lock.close('command'), 'login.cancelled'],
  ])('%s: it ends, and nothing of it is stored or handed out', async (_name, meanwhile, code) => {
    const { waiting, release } = await loggingIn();
    await meanwhile();
    release();
    for (const outcome of await outcomes(waiting)) {
      expect(outcome).toEqual(refusedWith(code));
    }
    bench.unlock();
    bench.configure({});
    expect(bench.session()).toBeNull();
    await expectGone();
    expect(waiting.flatMap(({ codes }) => codes)).toHaveLength(1);
    expect(bench.events.of('login')).toMatchObject([{ outcome: 'cancelled' }]);
  });

  test('all callers leave: it ends', async () => {
    const { waiting, release } = await loggingIn();
    for (const caller of waiting) {
      caller.leave();
      await caller.outcome.catch(() => undefined);
    }
    release();
    await expect.poll(() => bench.events.of('login')).toMatchObject([{ outcome: 'cancelled' }]);
    await expectGone();
  });
});

describe('while a change of the account becomes pending', () => {
  /** Nothing came to where the change leads, and the provider was asked as was approved alone. */
  function expectAsApproved(): void {
    expect(Object.values(elsewhere.counts.requests).filter((count) => count > 0)).toEqual([]);
    expect(bench.session()).toMatchObject({ issuer: provider.issuer, clientId: provider.clientId });
  }

  const changes: [string, () => Parameters<RaceBench['changeFromOutside']>[0]][] = [
    ['another provider', () => ({ issuer: elsewhere.issuer })],
    ['another client', () => ({ clientId: 'other' })],
    ['one more scope', () => ({ scopes: ['openid', 'offline_access', 'groups', 'email'] })],
    ['a proxy', () => ({ proxyUrl: 'http://127.0.0.1:9' })],
  ];

  test.each(changes)(
    '%s, during a refresh: its answer is the approved form’s, and all get it',
    async (_, change) => {
      const { waiting, release } = await refreshing();
      bench.changeFromOutside(change());
      const after = [bench.call(), bench.call({ audience: 'prod' })];
      release();
      for (const outcome of await outcomes([...waiting, ...after])) {
        expect(outcome).toMatchObject({ ok: true });
      }
      expectNoPage([...waiting, ...after]);
      await expectKept({ refreshes: 1 });
      expectAsApproved();
    },
  );

  test.each(changes)(
    '%s, during a login: what it brings is the approved form’s, and all get it',
    async (_, change) => {
      const { waiting, release } = await loggingIn();
      bench.changeFromOutside(change());
      release();
      for (const outcome of await outcomes(waiting)) {
        expect(outcome).toMatchObject({ ok: true, token: tokenHeld(), how: 'loggedIn' });
      }
      await expectKept({ refreshes: 0 });
      expectAsApproved();
    },
  );

  test('fewer scopes apply at once: a login under way ends, and nothing of it is kept', async () => {
    const login = bench.beginLogin();
    await expect.poll(() => login.codes).toHaveLength(1);
    bench.changeFromOutside({ scopes: ['openid'] });
    expect(await login.outcome).toMatchObject({ ok: false, code: 'login.cancelled' });
    await bench.approveLogin(login.codes);
    await expectGone();
  });

  test('approved in the middle of a refresh: its answer stays with the provider that it came from', async () => {
    const { waiting, release } = await refreshing();
    bench.changeFromOutside({ issuer: elsewhere.issuer });
    bench.approve();
    bench.registry.refresh();
    release();
    for (const outcome of await outcomes(waiting)) {
      expect(outcome.ok).toBe(false);
    }
    expect(elsewhere.refreshes).toEqual([]);
    expect(bench.session()).toMatchObject({ issuer: provider.issuer });
    expect(await bench.call().outcome).toEqual(refusedWith('oidc.login.needed'));
    expect(elsewhere.refreshes).toEqual([]);
  });
});

describe('a lock during a refresh and a login, then an unlock', () => {
  test('the unlock waits until it is locked, and a second lock joins the first', async () => {
    const { waiting, release } = await refreshing();
    const closing = [bench.lock.close('idle'), bench.lock.close('command')];
    const unlocked = bench.lock.settled().then(() => {
      expect(bench.vault.locked).toBe(true);
      bench.unlock();
    });
    release();
    await Promise.all([...closing, unlocked, outcomes(waiting)]);
    expect(bench.lock.gate()).toBeNull();
    expect(bench.events.of('lock')).toHaveLength(1);
    await expectKept({ refreshes: 1 });
  });

  test('the login ends, the refresh’s answer is kept', async () => {
    const { waiting, release } = await refreshing();
    const login = bench.beginLogin();
    await expect.poll(() => login.codes).toHaveLength(1);
    const closing = bench.lock.close('command');
    expect(await login.outcome).toMatchObject({ ok: false, code: 'login.cancelled' });
    release();
    await closing;
    for (const outcome of await outcomes(waiting)) {
      expect(outcome).toEqual(refusedWith('vault.locked'));
    }
    bench.unlock();
    await expectKept({ refreshes: 1 });
  });
});
