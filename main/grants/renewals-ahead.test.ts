import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { Secret } from '../base/secret.ts';
import { refuse } from '../contract/refusal.ts';
import { aTarget } from '../domain/testing/a-target.ts';
import { silentLog } from '../ports/log.ts';
import { Grants } from './grants.ts';
import { Logins } from './logins.ts';
import type { GrantRequest } from './request.ts';
import { ScriptedAccount, tokenAt } from './testing/scripted-account.ts';
import { KeptEvents, ManualEvents } from './testing/silent-deps.ts';

const minute = 60_000;
const hour = 60 * minute;

let clock: ManualClock;
let account: ScriptedAccount;
let grants: Grants;
let recorder: KeptEvents;
let events: ManualEvents;
let open: boolean;

function ask(): GrantRequest {
  return {
    target: aTarget(),
    recipient: null,
    prompter: null,
    wish: { flow: null, atThisMachine: true },
    onWait: () => undefined,
    signal: new AbortController().signal,
  };
}

async function value(): Promise<string | undefined> {
  const granted = await grants.obtain(account, ask());
  return granted.ok ? granted.grant.credential.token?.reveal() : granted.code;
}

/** Time passes in small steps, with what follows from each. */
async function pass(milliseconds: number, step = 10_000): Promise<void> {
  for (let left = milliseconds; left > 0; left -= step) {
    clock.advance(Math.min(step, left));
    await turn();
  }
}

beforeEach(() => {
  clock = new ManualClock();
  account = new ScriptedAccount();
  recorder = new KeptEvents();
  events = new ManualEvents();
  open = true;
  grants = new Grants({
    clock,
    log: silentLog,
    logins: new Logins({ clock, log: silentLog, recorder, onDone: (name) => grants.loggedIn(name) }),
    recorder,
    probe: async () => 'unknown',
    usable: () => null,
    events,
    isOpen: () => open,
    random: () => 0.5,
  });
});

describe('a grant in use (rule: issued-while-good)', () => {
  it('is renewed before its margin begins, so that no caller waits', async () => {
    account.credential = tokenAt(clock, 'a');
    await value();
    await pass(8 * minute);
    expect(account.renewals).toBe(0);
    await pass(minute - 1_000); // 61 s are left: a caller would get it without waiting, still
    expect(account.renewals).toBe(1);
    expect(await value()).toBe('a');
    await account.finishRenewal({ ok: true, credential: tokenAt(clock, 'b') });
    await turn();
    expect(await value()).toBe('b');
    expect(recorder.of('renewal')).toMatchObject([{ why: 'ahead', outcome: 'renewed', account: 'corp' }]);
    expect(recorder.of('generation')).toMatchObject([
      { generation: 1, why: 'found', previousAge: null },
      { generation: 2, why: 'ahead', previousAge: expect.any(Number) },
    ]);
  });

  it('goes on being renewed for an hour after its last use, and then no more', async () => {
    account.credential = tokenAt(clock, 'a');
    await value();
    let renewed = 0;
    for (let minutes = 0; minutes < 180; minutes++) {
      await pass(minute);
      if (account.renewals > renewed) {
        renewed = account.renewals;
        await account.finishRenewal({ ok: true, credential: tokenAt(clock, `t${renewed}`) });
        await turn();
      }
    }
    expect(renewed).toBe(6);
    expect(clock.pending).toBe(0);
  });

  // A provider whose clock is behind, one that gives out what it had in store, or one that means harm.
  it('that is as good as over when it comes is not renewed again and again', async () => {
    const late = (name: string) => ({ ...tokenAt(clock, name, 40_000), issuedAt: clock.now() - hour });
    account.credential = tokenAt(clock, 'a');
    await value();
    await pass(9 * minute);
    expect(account.renewals).toBe(1);
    await account.finishRenewal({ ok: true, credential: late('b') });
    await pass(5 * minute, 1_000);
    expect(account.renewals).toBe(1);
    const called = value();
    await account.finishRenewal({ ok: true, credential: late('c') });
    expect(await called).toBe('c');
  });

  it('of long life is renewed in time, though no timer reaches so far', async () => {
    account.credential = tokenAt(clock, 'a', 20 * hour);
    await value();
    await pass(20 * hour - 3 * minute, minute);
    expect(account.renewals).toBe(0);
    await pass(2 * minute);
    expect(account.renewals).toBe(1);
  });

  it('KEP-541/objectives: with a certificate is renewed in the last hundredth of its life, not before', async () => {
    const certificate = { chainPem: 'a', keyPem: new Secret('key') };
    account.credential = {
      ...tokenAt(clock, 'a', 10 * hour),
      issuedAt: clock.now(),
      token: null,
      certificate,
    };
    await value();
    await pass(10 * hour - 6 * minute - 10_000);
    expect(account.renewals).toBe(0);
    await pass(minute);
    expect(account.renewals).toBe(1);
  });

  it('without an end is left alone', async () => {
    account.credential = { ...tokenAt(clock, 'a'), expiresAt: null };
    await value();
    expect(clock.pending).toBe(0);
  });

  it('is not renewed while the doors are closed', async () => {
    account.credential = tokenAt(clock, 'a');
    await value();
    open = false;
    await pass(20 * minute);
    expect(account.renewals).toBe(0);
  });

  it('is dropped when it is forgotten', async () => {
    account.credential = tokenAt(clock, 'a');
    await value();
    grants.forget('corp');
    expect(clock.pending).toBe(0);
    await pass(20 * minute);
    expect(account.renewals).toBe(0);
  });

  it('asks no one to log in, and leaves it at that', async () => {
    account.credential = tokenAt(clock, 'a');
    await value();
    await pass(8 * minute + 50_000);
    await account.finishRenewal(refuse('loginNeeded', 'oidc.session.ended', 'ended'));
    await pass(2 * minute);
    expect(account.renewals).toBe(1);
    expect(account.logins).toBe(0);
    expect(clock.pending).toBe(0);
  });
});

describe('a provider that fails', () => {
  async function failAt(refusal = refuse('provider', 'oidc.token.unreachable', 'down')): Promise<void> {
    await account.finishRenewal(refusal);
    await turn();
  }

  it('is tried again with growing waits, and the cached credential is issued while it lives', async () => {
    account.credential = tokenAt(clock, 'a');
    await value();
    await pass(8 * minute + 40_000);
    const tries: number[] = [];
    for (let seconds = 0; seconds < 75; seconds++) {
      if (account.renewals > tries.length) {
        tries.push(seconds);
        await failAt();
      }
      expect(await value()).toBe('a');
      await pass(1_000, 1_000);
    }
    expect(tries.length).toBeGreaterThanOrEqual(4);
    const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(grants.troubleOf('corp')).toBe('could not be renewed: down');
    const [held] = grants.overview();
    expect(held?.trouble).toBe('could not be renewed: down');
    expect(held?.renewsAt).toBeLessThan(clock.now() + 10 * minute);
  });

  it('is not asked before the time that it named itself (Retry-After), not even for a caller in need', async () => {
    account.credential = tokenAt(clock, 'a');
    await value();
    await pass(8 * minute + 50_000);
    await failAt({ ...refuse('provider', 'oidc.token.status', 'busy'), retryAfterSeconds: 120 });
    await pass(75_000);
    expect(account.renewals).toBe(1);
    expect(await grants.obtain(account, ask())).toMatchObject({
      ok: false,
      reason: 'provider',
      code: 'oidc.token.status',
      hint: expect.stringMatching(/try again in \d+ s/),
    });
    await pass(50_000);
    expect(account.renewals).toBe(2);
  });

  it('is asked by a caller in need at once: the user may just have fixed the network', async () => {
    const first = grants.obtain(account, ask());
    await failAt();
    expect(await first).toMatchObject({ code: 'oidc.token.unreachable' });
    const second = grants.obtain(account, ask());
    await account.finishRenewal({ ok: true, credential: tokenAt(clock, 'b') });
    expect(await second).toMatchObject({ ok: true });
    expect(grants.troubleOf('corp')).toBeNull();
  });

  it('is tried again soon after a network is back', async () => {
    account.credential = tokenAt(clock, 'a', 20 * minute);
    await value();
    await pass(18 * minute);
    await pass(minute);
    for (let tries = 1; tries <= 5; tries++) {
      await failAt();
      await pass(60_000);
    }
    await failAt();
    const before = account.renewals;
    events.network();
    await pass(5_000);
    expect(account.renewals).toBe(before + 1);
  });

  it('keeps its own time over a network that is back', async () => {
    account.credential = tokenAt(clock, 'a');
    await value();
    await pass(8 * minute + 50_000);
    await failAt({ ...refuse('provider', 'oidc.token.status', 'busy'), retryAfterSeconds: 3600 });
    events.network();
    await pass(10_000);
    expect(account.renewals).toBe(1);
  });
});

describe('as the machine falls asleep', () => {
  it('nothing begins that it would break off; after the wake it does', async () => {
    account.credential = tokenAt(clock, 'a');
    await value();
    account.credential = null;
    await pass(8 * minute);
    events.sleep();
    await pass(50_000);
    expect(account.renewals).toBe(0);
    clock.sleep(30 * minute);
    // A short wake-up that is not reported, such as to fetch mail.
    await pass(9_000, 1_000);
    expect(account.renewals).toBe(0);
    events.wake();
    await pass(5_000, 500);
    expect(account.renewals).toBe(1);
  });

  it('a sleep that doesn’t come holds nothing up for longer than a minute', async () => {
    account.credential = tokenAt(clock, 'a');
    await value();
    await pass(8 * minute);
    events.sleep();
    await pass(minute);
    expect(account.renewals).toBe(0);
    await pass(5_000, 500);
    expect(account.renewals).toBe(1);
  });

  it('whoever asks is served', async () => {
    account.credential = tokenAt(clock, 'a');
    await value();
    account.credential = null;
    events.sleep();
    clock.advance(30 * minute);
    const asked = value();
    await turn();
    await account.finishRenewal({ ok: true, credential: tokenAt(clock, 'b') });
    expect(await asked).toBe('b');
  });
});

describe('after a sleep', () => {
  it('what ended meanwhile is renewed within seconds, each at its own moment', async () => {
    account.credential = tokenAt(clock, 'a');
    await value();
    await pass(5 * minute);
    // Timers stop while the machine sleeps: nothing has fired.
    account.credential = null;
    clock.sleep(30 * minute);
    expect(account.renewals).toBe(0);
    events.wake();
    await turn();
    expect(account.renewals).toBe(0);
    await pass(5_000, 500);
    expect(account.renewals).toBe(1);
    await account.finishRenewal({ ok: true, credential: tokenAt(clock, 'b') });
    await turn();
    expect(await value()).toBe('b');
  });

  it('where timers go on meanwhile, what fires at the wake is spread as well', async () => {
    account.credential = tokenAt(clock, 'a');
    await value();
    account.credential = null;
    clock.advance(30 * minute);
    await turn();
    expect(account.renewals).toBe(0);
    await pass(5_000, 500);
    expect(account.renewals).toBe(1);
  });

  it('nothing is asked for what is not due', async () => {
    account.credential = tokenAt(clock, 'a', 10 * hour);
    await value();
    clock.sleep(hour);
    events.wake();
    await pass(minute);
    expect(account.renewals).toBe(0);
  });
});

it('ends all it waits for', async () => {
  account.credential = tokenAt(clock, 'a');
  await value();
  await grants.dispose();
  expect(clock.pending).toBe(0);
  expect(events.listeners).toBe(0);
});
