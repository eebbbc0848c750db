import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { cluster as clusterSchema } from '../contract/config/cluster.ts';
import { refuse } from '../contract/refusal.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { clusterTarget } from '../domain/target/cluster-target.ts';
import { clusterName } from '../domain/target/target.ts';
import { silentLog } from '../ports/log.ts';
import type { Verdict } from '../ports/target-probe.ts';
import { Grants } from './grants.ts';
import { Logins } from './logins.ts';
import { rejectingAfter } from './rejecting-after.ts';
import type { GrantRequest } from './request.ts';
import { ScriptedAccount, tokenAt } from './testing/scripted-account.ts';
import { KeptEvents, ManualEvents } from './testing/silent-deps.ts';

const minute = 60_000;
const hour = 60 * minute;

let clock: ManualClock;
let account: ScriptedAccount;
let grants: Grants;
let recorder: KeptEvents;
/** What each cluster answers to a token; `signal` aborts when no caller waits any more. */
let say: (cluster: string, token: string, signal: AbortSignal) => Verdict | Promise<Verdict>;
let probed: string[];
/** The clients are client-go: they come back after a 401 alone. */
let isClientGo: boolean;
/** The broker may ask clusters of itself. */
let isUsable: boolean;

function cluster(name: string): LoadedCluster {
  const config = clusterSchema.parse({ server: `https://${name}.example.com`, account: 'corp' });
  return { name, config, certificateAuthorityPem: null };
}

function ask(client: string | null, name = 'prod'): GrantRequest {
  return {
    target: clusterTarget(cluster(name)),
    recipient:
      client === null ? null : { client, target: clusterTarget(cluster(name)), onlyAfter401: isClientGo },
    prompter: null,
    wish: { flow: null, atThisMachine: true },
    onWait: () => undefined,
    signal: new AbortController().signal,
  };
}

async function get(client: string | null, name?: string): Promise<string | undefined> {
  const granted = await grants.obtain(account, ask(client, name));
  return granted.ok ? granted.grant.credential.token?.reveal() : granted.code;
}

/** Asks, and lets the provider answer the renewal that follows. */
async function getRenewed(client: string, next: string, name?: string): Promise<string | undefined> {
  const got = get(client, name);
  await account.finishRenewal({ ok: true, credential: tokenAt(clock, next, 10 * hour) });
  return got;
}

beforeEach(() => {
  clock = new ManualClock();
  account = new ScriptedAccount();
  account.credential = tokenAt(clock, 'a', 10 * hour);
  recorder = new KeptEvents();
  probed = [];
  say = () => 'accepted';
  isClientGo = false;
  isUsable = false;
  grants = new Grants({
    clock,
    log: silentLog,
    logins: new Logins({ clock, log: silentLog, recorder, onDone: (name) => grants.loggedIn(name) }),
    recorder,
    probe: async ({ name }, { token }, signal) => {
      probed.push(`${name} ${token?.reveal()}`);
      return say(name, token?.reveal() ?? '', signal);
    },
    usable: ({ name }) => (isUsable ? { account, target: clusterTarget(cluster(name)) } : null),
    events: new ManualEvents(),
    isOpen: () => true,
    random: () => 0.5,
  });
});

describe('a client that asks again for the credential it has (rule: inferred-401)', () => {
  it('KEP-541/renewal-after-401: gets a renewed one where the cluster says 401, whatever its expirationTimestamp', async () => {
    expect(await get('kubectl 1')).toBe('a');
    say = (_, token) => (token === 'a' ? 'rejected' : 'accepted');
    expect(await getRenewed('kubectl 1', 'b')).toBe('b');
    expect(probed).toEqual(['prod a']);
    expect(recorder.of('rejection')).toMatchObject([
      { target: clusterName('prod'), account: 'corp', generation: 1, verdict: 'rejected', action: 'renewed' },
    ]);
    expect(recorder.of('renewal')).toMatchObject([{ why: 'rejected', outcome: 'renewed' }]);
  });

  it.each(['rejected', 'unknown'] as const)(
    'gets the next one where it ends while the cluster is asked (KEP-541/valid-or-error), and that is no 401: %s',
    async (verdict) => {
      account.credential = tokenAt(clock, 'a', 20_000);
      expect(await get('python 1')).toBe('a');
      clock.advance(17_000);
      say = () => {
        clock.advance(3_000);
        account.credential = null;
        return verdict;
      };
      const got = get('python 1');
      await account.finishRenewal({ ok: true, credential: tokenAt(clock, 'b', 10 * hour) });
      expect(await got).toBe('b');
      expect(recorder.of('rejection')).toEqual([]);
      expect(recorder.of('renewal').filter(({ why }) => why === 'rejected')).toEqual([]);
    },
  );

  it('keeps it where the cluster takes it, and the cluster is asked less and less often', async () => {
    await get('python 1');
    for (let seconds = 0; seconds < 60; seconds++) {
      expect(await get('python 1')).toBe('a');
      clock.advance(1_000);
    }
    expect(account.renewals).toBe(0);
    expect(probed.length).toBeGreaterThan(4);
    expect(probed.length).toBeLessThan(9);
  });

  it('gets a renewed one within seconds, however often the cluster took the old one before', async () => {
    await get('python 1');
    for (let seconds = 0; seconds < 60; seconds++) {
      await get('python 1');
      clock.advance(1_000);
    }
    say = (_, token) => (token === 'a' ? 'rejected' : 'accepted');
    clock.advance(15_000);
    expect(await getRenewed('python 1', 'b')).toBe('b');
  });

  it.each([
    ['another process', 'kubectl 2', 'prod'],
    ['the same process for another cluster', 'kubectl 1 stage', 'stage'],
  ])('is not suspected for %s', async (_, client, name) => {
    say = () => 'rejected';
    await get('kubectl 1');
    expect(await get(client, name)).toBe('a');
    expect(probed).toEqual([]);
  });

  it('is not suspected when the system can’t tell who it is', async () => {
    say = () => 'rejected';
    await get(null);
    expect(await get(null)).toBe('a');
    expect(probed).toEqual([]);
  });

  it('is not suspected after the end that it was told', async () => {
    account.credential = tokenAt(clock, 'a', 10 * minute);
    say = () => 'rejected';
    await get('k9s');
    clock.advance(9 * minute + 1_000); // the end, less its margin
    const again = get('k9s');
    await account.finishRenewal({ ok: true, credential: tokenAt(clock, 'b') });
    expect(await again).toBe('b');
    expect(probed).toEqual([]);
    expect(recorder.of('rejection')).toEqual([]);
  });

  it('of many processes causes one question and one renewal', async () => {
    const clients = Array.from({ length: 20 }, (_, index) => `kubectl ${index}`);
    await Promise.all(clients.map((client) => get(client)));
    say = (_, token) => (token === 'a' ? 'rejected' : 'accepted');
    const all = Promise.all(clients.map((client) => get(client)));
    await account.finishRenewal({ ok: true, credential: tokenAt(clock, 'b', 10 * hour) });
    expect(new Set(await all)).toEqual(new Set(['b']));
    expect(probed).toEqual(['prod a']);
    expect(account.renewals).toBe(1);
  });
});

describe('a cluster that doesn’t answer in time, as one whose 401 takes 7 s (rule: inferred-401)', () => {
  /** A client-go that had a 401 comes back, and the cluster is asked for 3 s in vain. */
  async function comesBack(client: string, next: string | null = null): Promise<string | undefined> {
    const got = get(client);
    await settle();
    clock.advance(3_000);
    await settle();
    if (next !== null) {
      await account.finishRenewal({ ok: true, credential: tokenAt(clock, next, 10 * hour) });
    }
    return got;
  }

  const actions = () => recorder.of('rejection').map(({ verdict, action }) => `${verdict} ${action}`);

  beforeEach(async () => {
    isClientGo = true;
    isUsable = true;
    say = () => new Promise(() => undefined);
    await get('kubectl 1');
  });

  it('rejects what client-go comes back with: it is renewed, and rejecting where that is rejected as well', async () => {
    expect(await comesBack('kubectl 1', 'b')).toBe('b');
    expect(grants.rejectingSince(clusterName('prod'))).toBeNull();
    expect(await get('kubectl 2')).toBe('b');
    expect(await comesBack('kubectl 2')).toBe('b');
    expect(grants.rejectingSince(clusterName('prod'))).toBe(clock.now());
    expect(actions()).toEqual(['rejected renewed', 'rejected backedOff']);
  });

  it('is rejecting where there is nothing newer', async () => {
    const again = comesBack('kubectl 1');
    await settle();
    await account.finishRenewal({ ok: true, credential: account.credential ?? tokenAt(clock, 'a') });
    expect(await again).toBe('a');
    expect(grants.rejectingSince(clusterName('prod'))).toBe(clock.now());
  });

  it('causes a renewal a minute at most, and fewer the longer it goes on', async () => {
    const renewedAt: number[] = [];
    for (let call = 1; call < 120; call++) {
      const before = account.renewals;
      const got = comesBack(`kubectl ${call}`);
      for (let turns = 0; turns < 4; turns++) {
        await settle();
      }
      if (account.renewals > before) {
        renewedAt.push(clock.now());
        await account.finishRenewal({ ok: true, credential: tokenAt(clock, `t${call}`, 10 * hour) });
      }
      await got;
      await get(`kubectl ${call + 1}`);
      clock.advance(7_000);
    }
    expect(renewedAt.length).toBeGreaterThan(1);
    expect(renewedAt.length).toBeLessThan(6);
    expect(renewedAt.every((at, index) => index === 0 || at - (renewedAt[index - 1] ?? 0) >= minute)).toBe(
      true,
    );
  });

  it('says nothing to a client that may come back for another reason', async () => {
    isClientGo = false;
    expect(await comesBack('kubectl 1', 'b')).toBe('b');
    expect(await comesBack('kubectl 1')).toBe('b');
    expect(grants.rejectingSince(clusterName('prod'))).toBeNull();
    expect(actions()).toEqual(['unknown renewed', 'unknown kept']);
  });

  it('does not take credentials again because another client is silent, once one had a 401 since', async () => {
    await comesBack('kubectl 1', 'b');
    await get('kubectl 2');
    await comesBack('kubectl 2');
    // One more waits for its answer, or was ended.
    await get('kubectl 3');
    await settle();
    clock.advance(3_000);
    await settle();
    await get('kubectl 4');
    clock.advance(6_000);
    await get('kubectl 4');
    clock.advance(minute);
    await settle();
    expect(actions()).not.toContain('unknown cleared');
    expect(grants.rejectingSince(clusterName('prod'))).not.toBeNull();
  });
});

it('a cluster that can’t be asked is one event for each credential, however often a client comes back', async () => {
  say = () => 'unknown';
  await get('python 1');
  expect(await getRenewed('python 1', 'b')).toBe('b');
  await get('python 1');
  for (let seconds = 0; seconds < 50; seconds++) {
    await get('python 1');
    clock.advance(1_000);
  }
  expect(recorder.of('rejection').map(({ action }) => action)).toEqual(['renewed', 'kept']);
  expect(probed.length).toBeLessThan(12);
});

it('a cluster that takes credentials again causes no renewal for the 401 before', async () => {
  isClientGo = true;
  say = () => 'rejected';
  await get('kubectl 1');
  expect(await getRenewed('kubectl 1', 'b')).toBe('b');
  await get('kubectl 2');
  await get('kubectl 2');
  expect(grants.rejectingSince(clusterName('prod'))).not.toBeNull();
  say = () => 'accepted';
  clock.advance(2 * minute);
  await get('kubectl 3');
  const got = get('kubectl 3');
  await settle();
  expect(account.renewals).toBe(1);
  expect(await got).toBe('b');
  expect(recorder.of('rejection').at(-1)).toMatchObject({ action: 'cleared' });
});

describe('a cluster that rejects fresh credentials', () => {
  async function untilRejecting(): Promise<void> {
    say = (name) => (name === 'prod' ? 'rejected' : 'accepted');
    await get('k9s');
    expect(await getRenewed('k9s', 'b')).toBe('b');
    expect(await get('k9s')).toBe('b');
  }

  it('is shown as rejecting and left alone, and the cached credential is issued', async () => {
    await untilRejecting();
    expect(grants.rejectingSince(clusterName('prod'))).toBe(clock.now());
    expect(grants.rejectingSince(clusterName('stage'))).toBeNull();
    expect(recorder.of('rejection').map(({ action }) => action)).toEqual(['renewed', 'backedOff']);
    for (let seconds = 0; seconds < 50; seconds++) {
      expect(await get('k9s')).toBe('b');
      clock.advance(1_000);
    }
    expect(probed).toHaveLength(2);
    expect(account.renewals).toBe(1);
  });

  it('causes fewer renewals, the longer it goes on', async () => {
    await untilRejecting();
    let renewals = 1;
    for (let minutes = 0; minutes < 120; minutes++) {
      clock.advance(minute);
      const got = get('k9s');
      await turn();
      await turn();
      if (account.renewals > renewals) {
        renewals = account.renewals;
        await account.finishRenewal({ ok: true, credential: tokenAt(clock, `t${renewals}`, 10 * hour) });
      }
      await got;
    }
    expect(renewals).toBeLessThan(10);
  });

  it('is trusted again once it takes one', async () => {
    await untilRejecting();
    say = () => 'accepted';
    clock.advance(2 * minute);
    await get('k9s');
    expect(grants.rejectingSince(clusterName('prod'))).toBeNull();
  });

  it('does not keep another cluster from its renewals', async () => {
    await untilRejecting();
    say = (_, token) => (token === 'b' ? 'rejected' : 'accepted');
    await get('k9s stage', 'stage');
    expect(await getRenewed('k9s stage', 'c', 'stage')).toBe('c');
  });

  it('and another one that does so cause no renewal for each other’s renewals', async () => {
    say = () => 'rejected';
    let renewals = 0;
    for (let round = 0; round < 20; round++) {
      for (const name of ['prod', 'stage']) {
        const client = `kubectl ${round} ${name}`;
        await get(client, name);
        const got = get(client, name);
        await turn();
        await turn();
        if (account.renewals > renewals) {
          renewals = account.renewals;
          await account.finishRenewal({ ok: true, credential: tokenAt(clock, `t${renewals}`, 10 * hour) });
        }
        await got;
      }
      clock.advance(1_000);
    }
    expect(renewals).toBeLessThanOrEqual(2);
    expect(grants.rejectingSince(clusterName('prod'))).not.toBeNull();
    expect(grants.rejectingSince(clusterName('stage'))).not.toBeNull();
  });

  it('is asked anew long after its renewal, though others have renewed since', async () => {
    say = (_, token) => (token === 'a' ? 'rejected' : 'accepted');
    await get('k9s');
    expect(await getRenewed('k9s', 'b')).toBe('b');
    clock.advance(2 * minute);
    say = (_, token) => (token === 'b' ? 'rejected' : 'accepted');
    await get('k9s stage', 'stage');
    expect(await getRenewed('k9s stage', 'c', 'stage')).toBe('c');
    say = (_, token) => (token === 'c' ? 'rejected' : 'accepted');
    expect(await get('k9s')).toBe('c');
    expect(await getRenewed('k9s', 'd')).toBe('d');
  });

  it('is forgotten at the next login', async () => {
    await untilRejecting();
    grants.forget('corp');
    expect(grants.rejectingSince(clusterName('prod'))).toBeNull();
  });

  it('is one, where nothing newer can be had', async () => {
    say = () => 'rejected';
    await get('kubectl 1');
    const again = get('kubectl 1');
    // A token that the user set: reading it again gives the same one.
    await account.finishRenewal({ ok: true, credential: account.credential ?? tokenAt(clock, 'a') });
    expect(await again).toBe('a');
    expect(grants.rejectingSince(clusterName('prod'))).not.toBeNull();
    expect(await get('kubectl 1')).toBe('a');
    expect(account.renewals).toBe(1);
  });
});

/** What the broker asks in the background has come to its end. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) {
    await turn();
  }
}

describe('a cluster that is shown as rejecting', () => {
  let rejects: boolean;

  beforeEach(async () => {
    isUsable = true;
    rejects = true;
    say = () => (rejects ? 'rejected' : 'accepted');
    await get('k9s');
    expect(await getRenewed('k9s', 'b')).toBe('b');
    await settle();
    // At once, without a second client: the broker asked about what was renewed.
    expect(grants.rejectingSince(clusterName('prod'))).toBe(clock.now());
    rejects = false;
    clock.advance(2_000);
  });

  const isRejecting = async () => {
    await settle();
    return grants.rejectingSince(clusterName('prod')) !== null;
  };

  it('is so no more as soon as a client comes and the cluster takes what it gets', async () => {
    await get('kubectl 2');
    expect(await isRejecting()).toBe(false);
    expect(recorder.of('rejection').at(-1)).toMatchObject({ target: clusterName('prod'), action: 'cleared' });
  });

  it('stays so while the cluster says 401, and many clients cause few questions', async () => {
    rejects = true;
    for (let call = 0; call < 100; call++) {
      await get(`kubectl ${call}`);
      await settle();
      clock.advance(100);
    }
    expect(await isRejecting()).toBe(true);
    expect(probed.length).toBeLessThan(15);
  });

  it('is so no more where a client doesn’t come back and the cluster can’t be asked', async () => {
    say = () => 'unknown';
    await get('kubectl 2');
    clock.advance(minute - 1_000);
    expect(await isRejecting()).toBe(true);
    clock.advance(1_000);
    expect(await isRejecting()).toBe(false);
  });

  it('stays so where the cluster can’t be asked and the client comes back', async () => {
    rejects = true;
    await get('k9s');
    say = () => 'unknown';
    await get('kubectl 2');
    await settle();
    clock.advance(1_000);
    expect(await get('kubectl 2')).toBe('b');
    clock.advance(2 * minute);
    expect(await isRejecting()).toBe(true);
  });

  it('is so no more after a renewal that it takes', async () => {
    const renewing = grants.renewNow(account, clusterTarget(cluster('prod')), new AbortController().signal);
    await account.finishRenewal({ ok: true, credential: tokenAt(clock, 'c', 10 * hour) });
    await renewing;
    expect(await isRejecting()).toBe(false);
  });

  it('is probed again automatically, less and less often', async () => {
    rejects = true;
    const before = probed.length;
    for (let minutes = 0; minutes < 60; minutes++) {
      clock.advance(minute);
      await settle();
    }
    expect(probed.length - before).toBeLessThan(8);
    rejects = false;
    clock.advance(hour);
    expect(await isRejecting()).toBe(false);
  });

  it('is so no more where a check sees that it accepts the cached credential, and again where one sees a 401', async () => {
    const held = account.credential ?? tokenAt(clock, '');
    await grants.saw(clusterName('prod'), held, 'accepted');
    expect(await isRejecting()).toBe(false);
    await grants.saw(clusterName('prod'), tokenAt(clock, 'of before'), 'rejected');
    expect(await isRejecting()).toBe(false);
    await grants.saw(clusterName('prod'), held, 'rejected');
    expect(await isRejecting()).toBe(true);
    expect(recorder.of('rejection').map(({ action }) => action)).toEqual([
      'renewed',
      'shown',
      'cleared',
      'shown',
    ]);
  });

  const atNextStart = () => [...rejectingAfter(recorder.all.map((event) => ({ at: clock.now(), event })))];

  it('stays so over a lock', async () => {
    rejects = true;
    grants.forgetAll();
    expect(await isRejecting()).toBe(true);
  });

  it('stays so over a restart', async () => {
    expect(atNextStart()).toEqual([
      {
        ...{ target: clusterName('prod'), account: 'corp' },
        audience: null,
        generation: 2,
        since: clock.now(),
      },
    ]);
    await get('kubectl 2');
    await settle();
    expect(atNextStart()).toEqual([]);
  });

  it('is so no more where the account’s credentials are forgotten: a new secret, a login, a logout', async () => {
    grants.forget('corp');
    expect(await isRejecting()).toBe(false);
    expect(recorder.of('rejection').at(-1)).toMatchObject({ action: 'forgotten', verdict: 'unknown' });
    expect(atNextStart()).toEqual([]);
  });

  it('has its next 401 checked immediately, however long it was to be left alone', async () => {
    rejects = true;
    await get('k9s');
    await get('k9s');
    rejects = false;
    clock.advance(2_000);
    await get('kubectl 2');
    expect(await isRejecting()).toBe(false);
    say = (_, token) => (token === 'b' ? 'rejected' : 'accepted');
    clock.advance(minute);
    expect(await getRenewed('kubectl 2', 'c')).toBe('c');
  });

  it('leaves no timer when the broker ends', async () => {
    await grants.dispose();
    expect(clock.pending).toBe(0);
  });
});

describe('client-go, which comes back after a 401 alone', () => {
  beforeEach(async () => {
    isClientGo = true;
    await get('kubectl 1');
  });

  it('gets a renewed one though the cluster says that it takes the old', async () => {
    expect(await getRenewed('kubectl 1', 'b')).toBe('b');
    expect(recorder.of('rejection')).toMatchObject([{ verdict: 'accepted', action: 'renewed' }]);
    expect(grants.rejectingSince(clusterName('prod'))).toBeNull();
  });

  it('causes fewer renewals, the longer that doesn’t help', async () => {
    let renewals = 0;
    for (let seconds = 0; seconds < 7200; seconds++) {
      const got = get('kubectl 1');
      await turn();
      await turn();
      if (account.renewals > renewals) {
        renewals = account.renewals;
        await account.finishRenewal({ ok: true, credential: tokenAt(clock, `t${renewals}`, 10 * hour) });
      }
      await got;
      clock.advance(1_000);
    }
    expect(renewals).toBeGreaterThan(3);
    expect(renewals).toBeLessThan(9);
  });

  it('causes one renewal where nothing newer can be had', async () => {
    const again = get('kubectl 1');
    await account.finishRenewal({ ok: true, credential: account.credential ?? tokenAt(clock, 'a') });
    expect(await again).toBe('a');
    clock.advance(10 * minute);
    expect(await get('kubectl 1')).toBe('a');
    expect(account.renewals).toBe(1);
  });

  it('is believed again at once where the last renewal has helped', async () => {
    expect(await getRenewed('kubectl 1', 'b')).toBe('b');
    clock.advance(hour);
    await get('kubectl 2');
    expect(await getRenewed('kubectl 2', 'c')).toBe('c');
    clock.advance(minute);
    expect(await getRenewed('kubectl 2', 'd')).toBe('d');
  });
});

describe('a cluster that can’t be asked', () => {
  it('causes one renewal a minute at the most', async () => {
    say = () => 'unknown';
    await get('python 1');
    expect(await getRenewed('python 1', 'b')).toBe('b');
    for (let seconds = 0; seconds < 59; seconds++) {
      expect(await get('python 1')).toBe('b');
      clock.advance(1_000);
    }
    expect(account.renewals).toBe(1);
    clock.advance(1_000);
    expect(await getRenewed('python 1', 'c')).toBe('c');
  });

  it('causes no more renewals when there are many such clusters', async () => {
    say = () => 'unknown';
    const names = ['one', 'two', 'three', 'four'];
    for (const name of names) {
      await get(`python ${name}`, name);
    }
    expect(await getRenewed('python one', 'b', 'one')).toBe('b');
    for (let round = 0; round < 3; round++) {
      for (const name of names) {
        expect(await get(`python ${name}`, name)).toBe('b');
      }
    }
    expect(account.renewals).toBe(1);
  });

  it('is waited for no longer than a few seconds, also by what hears no signal', async () => {
    say = () => new Promise<never>(() => undefined);
    await get('python 1');
    const again = get('python 1');
    await turn();
    clock.advance(3_000);
    await account.finishRenewal({ ok: true, credential: tokenAt(clock, 'b', hour) });
    expect(await again).toBe('b');
  });

  it('is aborted when no caller waits any more', async () => {
    say = (_cluster, _token, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve('unknown')));
    await get('python 1');
    const again = get('python 1');
    while (probed.length === 0) {
      await turn();
    }
    clock.advance(3_000);
    await account.finishRenewal({ ok: true, credential: tokenAt(clock, 'b', hour) });
    expect(await again).toBe('b');
  });
});

describe('a renewal for a 401 that fails', () => {
  beforeEach(async () => {
    say = () => 'rejected';
    await get('kubectl 1');
  });

  it('never asks the user: it is refused with what to do', async () => {
    const prompter = {
      showBrowserPage: () => expect.unreachable(),
      showDeviceCode: () => expect.unreachable(),
    };
    const again = grants.obtain(account, { ...ask('kubectl 1'), prompter });
    await account.finishRenewal(
      refuse('loginNeeded', 'oidc.session.ended', 'the provider ended the session', 'lanyard login corp'),
    );
    expect(await again).toMatchObject({
      ok: false,
      reason: 'loginNeeded',
      message: expect.stringMatching(/^prod no longer takes the credential of corp, and it can’t be renewed/),
      hint: 'lanyard login corp',
    });
    expect(account.logins).toBe(0);
  });

  it('issues the cached credential while the provider fails, and waits before it tries again', async () => {
    const again = get('kubectl 1');
    await account.finishRenewal(refuse('provider', 'oidc.token.unreachable', 'down'));
    expect(await again).toBe('a');
    clock.advance(1_000);
    expect(await get('kubectl 1')).toBe('a');
    expect(account.renewals).toBe(1);
    clock.advance(10_000);
    expect(await getRenewed('kubectl 1', 'b')).toBe('b');
  });

  it('finds what was taken away meanwhile gone', async () => {
    const again = get('kubectl 1');
    while (account.renewals === 0) {
      await turn();
    }
    grants.forget('corp');
    await account.finishRenewal(refuse('loginNeeded', 'oidc.session.changed', 'changed'));
    account.credential = null;
    expect(await again).not.toBe('a');
  });
});
