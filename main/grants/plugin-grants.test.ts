import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { refuse } from '../contract/refusal.ts';
import { clusterName } from '../domain/target/target.ts';
import { aTarget } from '../domain/testing/a-target.ts';
import type { CredentialRequest } from '../ports/account.ts';
import { silentLog } from '../ports/log.ts';
import { Grants } from './grants.ts';
import { Logins } from './logins.ts';
import type { GrantRequest } from './request.ts';
import { pluginToken, ScriptedPlugin } from './testing/scripted-plugin.ts';
import { KeptEvents, ManualEvents } from './testing/silent-deps.ts';

const minute = 60_000;

let clock: ManualClock;
let plugin: ScriptedPlugin;
let grants: Grants;
let recorder: KeptEvents;
/** Clusters that are to be asked whether they take a credential. */
let asked: string[];

/** A request of a client for a cluster, at a terminal or not. */
function ask(
  client: string,
  cluster = 'prod',
  hasTerminal = true,
  variables: Record<string, string> | null = null,
): GrantRequest {
  const asking = {
    client,
    target: aTarget({ name: cluster }),
    caller: { hasTerminal },
    ancestors: () => [],
    terminal: { environment: async () => variables },
  } as unknown as CredentialRequest;
  const signal = new AbortController().signal;
  return {
    target: aTarget(),
    recipient: null,
    asking,
    attendant: {
      client,
      target: clusterName(cluster),
      runner: null,
      interactive: hasTerminal,
      print: () => undefined,
      signal,
    },
    prompter: null,
    wish: { flow: null, atThisMachine: true },
    onWait: () => undefined,
    signal,
  };
}

async function got(request: GrantRequest): Promise<string> {
  const outcome = await grants.obtain(plugin, request);
  return outcome.ok ? (outcome.grant.credential.token?.reveal() ?? '') : outcome.code;
}

beforeEach(() => {
  clock = new ManualClock();
  plugin = new ScriptedPlugin();
  recorder = new KeptEvents();
  asked = [];
  grants = new Grants({
    clock,
    log: silentLog,
    logins: new Logins({ clock, log: silentLog, recorder, onDone: () => undefined }),
    recorder,
    probe: async () => 'unknown',
    usable: (target) => {
      asked.push(target.name);
      return null;
    },
    events: new ManualEvents(),
    isOpen: () => true,
    random: () => 1,
  });
});

describe('what a plugin gave (KEP-541/caching)', () => {
  test('is kept until its end less the margin, for all who ask alike', async () => {
    plugin.next = pluginToken('a', { expiresAt: clock.now() + 10 * minute });
    expect(await got(ask('one'))).toBe('a');
    expect(await got(ask('two'))).toBe('a');
    expect(plugin.runs).toHaveLength(1);
    clock.advance(9 * minute + 1_000);
    plugin.next = pluginToken('b', { expiresAt: clock.now() + 10 * minute });
    expect(await got(ask('one'))).toBe('b');
  });

  test('is another for another shape, with its own generation', async () => {
    plugin.next = pluginToken('a', { expiresAt: clock.now() + 10 * minute });
    await got(ask('one', 'prod'));
    await got(ask('one', 'dev'));
    expect(plugin.runs).toEqual(['prod', 'dev']);
    expect(recorder.of('generation')).toMatchObject([
      { target: clusterName('prod'), generation: 1 },
      { target: clusterName('dev'), generation: 1 },
    ]);
    expect(grants.cachedFor('eks').map(({ target }) => target?.name)).toEqual(['prod', 'dev']);
  });

  test('without an end is for the clients that waited for it', async () => {
    plugin.next = pluginToken('a', { noExpiry: { ownExpiry: null, onlyFor: ['one', 'two'] } });
    expect(await Promise.all([got(ask('one')), got(ask('two'))])).toEqual(['a', 'a']);
    expect(plugin.runs).toHaveLength(1);
    plugin.next = pluginToken('b', { noExpiry: { ownExpiry: null, onlyFor: ['three'] } });
    expect(await got(ask('two'))).toBe('a');
    expect(await got(ask('three'))).toBe('b');
    expect(plugin.runs).toHaveLength(2);
  });

  test('and clients get no expiry that was not promised', async () => {
    plugin.next = pluginToken('a', {
      expiresAt: clock.now() + minute,
      noExpiry: { ownExpiry: null, onlyFor: null },
    });
    const outcome = await grants.obtain(plugin, ask('one'));
    expect(outcome.ok && outcome.grant.expirationForClient(clock)).toBeNull();
  });

  // (rule: locked-issues-nothing)
  test('is dropped where a lock came while it ran: who waits is told at once, and no lock waits for it', async () => {
    const ran = Promise.withResolvers<void>();
    plugin.gate = ran.promise;
    plugin.next = pluginToken('a', { expiresAt: clock.now() + 10 * minute });
    const waits = got(ask('one'));
    await expect.poll(() => plugin.runs).toHaveLength(1);
    grants.lock(refuse('locked', 'lock.closing', 'lanyard is being locked'));
    expect(await waits).toBe('lock.closing');
    await grants.drain(10_000);
    grants.forgetAll();
    // Unlocked at once: the plugin never runs twice at a time.
    const next = got(ask('one'));
    await turn();
    expect([plugin.runs.length, grants.cachedFor('eks')]).toEqual([1, []]);
    plugin.next = pluginToken('b', { expiresAt: clock.now() + 10 * minute });
    ran.resolve();
    expect(await next).toBe('b');
    expect(plugin.runs).toHaveLength(2);
  });

  test.each(['forget', 'forgetAll'] as const)('is gone after %s: a logout, a lock', async (how) => {
    plugin.next = pluginToken('a', { expiresAt: clock.now() + 10 * minute });
    await got(ask('one'));
    grants[how]('eks');
    plugin.next = pluginToken('b', { expiresAt: clock.now() + 10 * minute });
    expect(await got(ask('one'))).toBe('b');
  });

  test('of ever new shapes only so many are cached', async () => {
    plugin.next = pluginToken('a', { expiresAt: clock.now() + 10 * minute });
    for (let count = 0; count < 2_100; count++) {
      await got(ask('one', `c${count}`));
    }
    expect(grants.cachedFor('eks')).toHaveLength(2_048);
    expect(grants.cachedFor('eks').at(-1)?.target?.name).toBe('c2099');
  });
});

describe('a click on Renew now', () => {
  const signal = new AbortController().signal;
  const click = async (cluster = 'prod') => {
    const done = await grants.renewInUse(plugin, aTarget({ name: cluster }), signal);
    return done.ok ? done.renewed.map(({ variables, obtained }) => [...variables, obtained.ok]) : done.code;
  };
  const use = (variables: Record<string, string>, cluster = 'prod') =>
    got(ask('one', cluster, true, variables));
  beforeEach(() => {
    plugin.next = pluginToken('a', { expiresAt: clock.now() + 10 * minute });
  });

  test('renews with the variables of each grant’s last caller, the one that was used last first', async () => {
    await use({ AWS_CA_BUNDLE: '/ca.pem' });
    clock.advance(1);
    await use({ AWS_PROFILE: 'dev' });
    await use({ AWS_PROFILE: 'dev' }, 'elsewhere');
    plugin.runs.length = 0;
    expect(await click()).toEqual([
      ['AWS_PROFILE', true],
      ['AWS_CA_BUNDLE', true],
    ]);
    expect(plugin.runs.sort()).toEqual(['prod AWS_CA_BUNDLE=/ca.pem', 'prod AWS_PROFILE=dev']);
    expect(grants.variablesInUse('eks', clusterName('prod'))).toEqual([['AWS_PROFILE'], ['AWS_CA_BUNDLE']]);
  });

  test('renews the one that was used last, where none is in use', async () => {
    await use({ AWS_PROFILE: 'old' });
    clock.advance(1);
    await use({ AWS_PROFILE: 'dev' });
    clock.advance(120 * minute);
    expect(await click()).toEqual([['AWS_PROFILE', true]]);
    expect(plugin.runs.at(-1)).toBe('prod AWS_PROFILE=dev');
  });

  test('renews eight at most, and those used an hour ago no more', async () => {
    await use({ AWS_PROFILE: 'old' });
    clock.advance(61 * minute);
    plugin.next = pluginToken('b', { expiresAt: clock.now() + 10 * minute });
    for (let count = 0; count < 10; count++) {
      await use({ AWS_PROFILE: `p${count}` });
    }
    plugin.runs.length = 0;
    expect(await click()).toHaveLength(8);
    expect(plugin.runs).not.toContain('prod AWS_PROFILE=old');
  });

  test('says what became of each, where one fails', async () => {
    await use({});
    plugin.next = refuse('provider', 'execPlugin.failed', 'exit code 1');
    expect(await click()).toEqual([[false]]);
  });

  test.each(['forget', 'forgetAll'] as const)('finds nothing after %s: a logout, a lock', async (how) => {
    await use({ AWS_SESSION_TOKEN: 'canary' });
    const before = await plugin.shapedBy(
      ask('one', 'prod', true, { AWS_SESSION_TOKEN: 'canary' }).asking as never,
    );
    grants[how]('eks');
    expect(await click()).toBe('grant.none');
    const after = await plugin.shapedBy(
      ask('one', 'prod', true, { AWS_SESSION_TOKEN: 'canary' }).asking as never,
    );
    expect(after.account).not.toBe(before.account);
  });

  test('is another thing than Lanyard’s own renewal, which takes no caller’s variables', async () => {
    await use({ AWS_SESSION_TOKEN: 'canary' });
    plugin.runs.length = 0;
    await grants.renewNow(plugin, aTarget(), signal);
    expect(plugin.runs).toEqual(['prod']);
  });
});

test('of ever new values only so many are renewed ahead of need, those used last', async () => {
  plugin.next = pluginToken('a', { expiresAt: clock.now() + 10 * minute });
  for (let count = 0; count < 40; count++) {
    await got(ask('one', 'prod', true, { AWS_PROFILE: `p${count}` }));
  }
  await got(ask('one', 'plain', true, {}));
  const planned = grants.overview().filter(({ renewsAt }) => renewsAt !== null);
  expect(planned).toHaveLength(17);
});

// KEP-2718/passed-on
describe('what a plugin gave one client alone', () => {
  beforeEach(() => {
    plugin.isPassedOn = true;
    plugin.next = pluginToken('a', { expiresAt: clock.now() + 10 * minute });
  });

  test('is cached nowhere, and the next request is another run', async () => {
    const first = await grants.obtain(plugin, ask('one'));
    expect(first).toMatchObject({ ok: true, how: 'renewed', grant: { generation: 0 } });
    expect(grants.cachedOrExpiredFor('eks')).toEqual([]);
    expect(grants.overview()).toEqual([]);
    plugin.next = pluginToken('b', { expiresAt: clock.now() + 10 * minute });
    expect(await got(ask('one'))).toBe('b');
    expect(plugin.runs).toHaveLength(2);
    // Nothing is kept that could be rotated or renewed.
    expect(recorder.all).toEqual([]);
  });

  test('is never renewed ahead of need, and no cluster is asked whether it takes it', async () => {
    const target = aTarget();
    grants.restoreRejecting([{ target, account: 'eks', audience: null, generation: 1, since: clock.now() }]);
    const asks = { ...ask('one'), recipient: { client: 'one', target, onlyAfter401: true } };
    await got(asks);
    await got(asks);
    await turn();
    expect(asked).toEqual([]);
    clock.advance(60 * minute);
    await turn();
    expect(plugin.runs).toHaveLength(2);
    expect(recorder.of('rejection')).toEqual([]);
    expect(await grants.peek(plugin, aTarget(), new AbortController().signal)).toMatchObject({
      code: 'grant.none',
    });
  });

  test('serves those of the same client who waited, by one run', async () => {
    expect(await Promise.all([got(ask('one')), got(ask('one'))])).toEqual(['a', 'a']);
    expect(plugin.runs).toHaveLength(1);
  });

  test('is not used after a lock or a logout in between', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    plugin.gate = promise;
    const waiting = got(ask('one'));
    await turn();
    grants.forgetAll();
    resolve();
    expect(await waiting).toBe('grant.lost');
  });

  test('is refused where it has ended already', async () => {
    plugin.next = pluginToken('a', { expiresAt: clock.now() - 1 });
    expect(await got(ask('one'))).toBe('grant.expiredAtBirth');
  });

  test('has the pause of every plugin that fails', async () => {
    plugin.next = refuse('provider', 'execPlugin.failed', 'no');
    await got(ask('one', 'prod', false));
    await got(ask('one', 'prod', false));
    expect(plugin.runs).toHaveLength(1);
  });
});

describe('a plugin that fails (KEP-541/transient-failures)', () => {
  test('gets a try for each call of the user', async () => {
    expect(await got(ask('one'))).toBe('execPlugin.failed');
    expect(await got(ask('two'))).toBe('execPlugin.failed');
    expect(plugin.runs).toHaveLength(2);
  });

  test('gets one try for a client that asks again with each of its requests, until its time has come', async () => {
    expect(await got(ask('kubectl'))).toBe('execPlugin.failed');
    expect(await got(ask('kubectl'))).toBe('execPlugin.failed');
    expect(plugin.runs).toHaveLength(1);
    clock.advance(1_000);
    plugin.next = pluginToken('a', { expiresAt: clock.now() + minute });
    expect(await got(ask('kubectl'))).toBe('a');
    clock.advance(minute);
    // It has been served since.
    plugin.next = refuse('provider', 'execPlugin.failed', 'no');
    await got(ask('another'));
    await got(ask('kubectl'));
    expect(plugin.runs).toHaveLength(4);
  });

  test('is left alone by programs without a terminal: 1 s, doubling', async () => {
    expect(await got(ask('cron', 'prod', false))).toBe('execPlugin.failed');
    expect(await got(ask('cron', 'prod', false))).toBe('execPlugin.failed');
    expect(plugin.runs).toHaveLength(1);
    clock.advance(1_000);
    await got(ask('cron', 'prod', false));
    expect(plugin.runs).toHaveLength(2);
    clock.advance(1_999);
    await got(ask('cron', 'prod', false));
    expect(plugin.runs).toHaveLength(2);
    clock.advance(1);
    await got(ask('cron', 'prod', false));
    expect(plugin.runs).toHaveLength(3);
  });

  test('given up by whoever ran it counts neither way', async () => {
    await got(ask('cron', 'prod', false));
    plugin.next = refuse('denied', 'execPlugin.lost', 'nobody is left');
    await got(ask('one'));
    plugin.next = refuse('provider', 'execPlugin.failed', 'no');
    expect(await got(ask('cron', 'prod', false))).toBe('execPlugin.failed');
    expect(plugin.runs).toHaveLength(2);
  });

  test('given up at first leaves no program waiting', async () => {
    plugin.next = refuse('denied', 'execPlugin.lost', 'nobody is left');
    await got(ask('one'));
    await got(ask('cron', 'prod', false));
    expect(plugin.runs).toHaveLength(2);
  });

  test('for one cluster is no reason to wait for another', async () => {
    await got(ask('cron', 'prod', false));
    await got(ask('cron', 'dev', false));
    expect(plugin.runs).toEqual(['prod', 'dev']);
  });

  test('still has its last credential issued while that is valid (rule: issued-while-good)', async () => {
    plugin.next = pluginToken('a', { expiresAt: clock.now() + 10 * minute });
    await got(ask('one'));
    clock.advance(9 * minute + 30_000);
    plugin.next = refuse('provider', 'execPlugin.failed', 'no');
    expect(await got(ask('one'))).toBe('a');
    clock.advance(30_000);
    expect(await got(ask('one'))).toBe('execPlugin.failed');
  });
});

describe('those who wait', () => {
  test('attend while it runs, and no longer', async () => {
    let open: () => void = () => undefined;
    plugin.gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    plugin.next = pluginToken('a', { expiresAt: clock.now() + minute });
    const all = Promise.all([got(ask('one')), got(ask('two'))]);
    await new Promise((resolve) => setImmediate(resolve));
    expect([...plugin.waiting].map(({ client }) => client)).toEqual(['one', 'two']);
    open();
    await all;
    expect(plugin.waiting.size).toBe(0);
  });

  test('lend no terminal while there is life left', async () => {
    plugin.next = pluginToken('a', { expiresAt: clock.now() + 10 * minute });
    await got(ask('one'));
    clock.advance(9 * minute + 30_000);
    plugin.gate = new Promise<void>(() => undefined);
    const waiting = got(ask('one'));
    await new Promise((resolve) => setImmediate(resolve));
    expect([...plugin.waiting].map(({ interactive }) => interactive)).toEqual([false]);
    clock.advance(6_000);
    expect(await waiting).toBe('a');
    expect(plugin.waiting.size).toBe(0);
  });
});

test('what the doctor looks with runs nothing', async () => {
  const cluster = aTarget();
  const signal = new AbortController().signal;
  expect(await grants.peek(plugin, cluster, signal)).toMatchObject({ ok: false, code: 'grant.none' });
  plugin.next = pluginToken('a', { expiresAt: clock.now() + 10 * minute });
  await got(ask('one'));
  expect(await grants.peek(plugin, cluster, signal)).toMatchObject({ ok: true });
  expect(plugin.runs).toHaveLength(1);
});

test('of many plugins only a few run in the background at a time, and all have their turn', async () => {
  const life = { issuedAt: clock.now(), expiresAt: clock.now() + 60 * minute };
  plugin.next = pluginToken('first', life);
  const clusters = Array.from({ length: 40 }, (_, index) => `c${index}`);
  for (const cluster of clusters) {
    expect(await got(ask('a', cluster))).toBe('first');
  }
  const before = plugin.runs.length;
  let open: () => void = () => undefined;
  plugin.gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  plugin.next = pluginToken('second', { issuedAt: clock.now(), expiresAt: clock.now() + 120 * minute });
  // Within the lead of all of them, and asleep until then: they are due at once.
  clock.advance(58.5 * minute);
  for (let second = 0; second < 20; second++) {
    clock.advance(1_000);
    await turn();
  }
  expect(plugin.runs.length - before).toBe(4);
  open();
  for (let second = 0; second < 60; second++) {
    clock.advance(1_000);
    await turn();
  }
  expect(new Set(plugin.runs.slice(before))).toEqual(new Set(clusters));
});

test('of ever new shapes that fail only so many are remembered', async () => {
  const code = (cluster: string) => got(ask('a', cluster, false));
  for (let index = 0; index < 2_100; index++) {
    await code(`c${index}`);
  }
  const before = plugin.runs.length;
  await code('c2099');
  expect(plugin.runs, 'waits for its turn').toHaveLength(before);
  await code('c0');
  expect(plugin.runs, 'is not known any more').toHaveLength(before + 1);
});
