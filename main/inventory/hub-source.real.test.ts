import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type InventoryHub, profileObject, startInventoryHub } from '../../test/support/inventory-hub.ts';
import { startKubernetesApi } from '../../test/support/kubernetes-api.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { type Disposable, Disposables } from '../base/disposables.ts';
import { Secret } from '../base/secret.ts';
import { cluster as clusterSchema } from '../contract/config/cluster.ts';
import { inventory as inventorySchema } from '../contract/config/inventory.ts';
import { refuse } from '../contract/refusal.ts';
import type { Obtained } from '../ports/account.ts';
import { type Log, silentLog } from '../ports/log.ts';
import { startHubSource } from './hub-source.ts';
import type { ProfileSource } from './profile-source.ts';
import { openProfileStore, type ProfileStore } from './profile-store.ts';
import { hubBackoff } from './reflector.ts';

const minute = 60_000;
const retryLater = { details: { retryAfterSeconds: 7 } };
const good: Obtained = {
  ok: true,
  credential: { token: new Secret('good'), certificate: null, issuedAt: null, expiresAt: null },
};

const folder = temporaryFolder();
let clock: ManualClock;
let hub: InventoryHub;
let server: string;
let connections: () => number;
let opened: Disposables;
let log: Log;

beforeEach(async () => {
  clock = new ManualClock();
  opened = new Disposables();
  log = { ...silentLog };
  const started = await startInventoryHub();
  opened.add({ dispose: () => started.dispose() });
  ({ hub, server, connections } = started);
});
afterEach(() => opened.dispose());

interface Following {
  store: ProfileStore;
  source: ProfileSource;
}

async function follow(
  config: { namespaces?: string[]; labelSelector?: string } = {},
  obtain: () => Promise<Obtained> = async () => good,
  at: { server: string; caPem: string | null } = { server, caPem: null },
): Promise<Following> {
  const store = opened.add(
    await openProfileStore({ folder: folder(), inventory: 'fleet', origin: 'a hub', clock, log: silentLog }),
  );
  const providers = [{ name: 'google', account: 'corp' }];
  const cluster = {
    name: 'hub',
    config: clusterSchema.parse({ server: at.server, account: 'corp' }),
    certificateAuthorityPem: at.caPem,
  };
  const source = startHubSource(
    { name: 'fleet', config: inventorySchema.parse({ cluster: 'hub', providers, ...config }) },
    { cluster, reach: {}, obtain, saw: async () => undefined },
    { store, clock, random: () => 0.5, log },
  );
  opened.add(source as Disposable);
  return { store, source };
}

const namesOf = ({ store }: Following) => [...store.profiles().keys()];
const displayNames = ({ store }: Following) =>
  [...store.profiles().values()].map(({ displayName }) => displayName);
const stateOf = ({ store }: Following) => store.state();

const live = (following: Following) => expect.poll(() => stateOf(following).kind).toBe('live');
const watched = (count = 1) => expect.poll(() => hub.watchers).toBe(count);
const inTrouble = (following: Following, code: string) =>
  expect.poll(() => stateOf(following).trouble?.code).toBe(code);

/** Its one watch is there at both ends, so that from now on the clock says how long it has lasted. */
async function heard(following: Following): Promise<void> {
  await watched();
  clock.advance(1);
  hub.bookmark();
  await expect.poll(() => stateOf(following).lagMilliseconds).toBe(0);
}

/** A following that is live, with a watch. */
async function following(...parameters: Parameters<typeof follow>): Promise<Following> {
  const made = await follow(...parameters);
  await live(made);
  await heard(made);
  return made;
}

/** A following of a hub that has one profile. */
function followingOne(): Promise<Following> {
  hub.put(profileObject('fleet', 'a'));
  return following();
}

describe('a hub is listed', () => {
  test('by pages of 500, each profile once', async () => {
    hub.put(...Array.from({ length: 1_201 }, (_, number) => profileObject('fleet', `c${number}`)));
    const made = await following();
    expect(namesOf(made)).toHaveLength(1_201);
    expect(hub.requests.map(({ query }) => [query['limit'], query['continue']])).toEqual([
      ['500', undefined],
      ['500', 'page-1'],
      ['500', 'page-2'],
      [undefined, undefined],
    ]);
    expect(hub.requests.every(({ authorization }) => authorization === 'Bearer good')).toBe(true);
    expect(connections()).toBe(1);
  });

  test('in v1alpha2, and in v1alpha1 where that is not served', async () => {
    hub.put(profileObject('fleet', 'a'));
    hub.versions = ['v1alpha1'];
    const made = await following();
    expect(hub.requests.map(({ version }) => version)).toEqual(['v1alpha2', 'v1alpha1', 'v1alpha1']);
    expect(stateOf(made).servedVersion).toBe('v1alpha1');
    // The hub is upgraded.
    hub.versions = ['v1alpha2'];
    clock.advance(10_000);
    hub.breakWatches();
    await inTrouble(made, 'notServed');
    expect(namesOf(made)).toEqual(['fleet/a']);
    clock.advance(hubBackoff.first);
    await live(made);
    expect(hub.requests.at(-1)?.version).toBe('v1alpha2');
  });

  test('by namespace and label', async () => {
    const labels = { env: 'prod' };
    const labelled = (namespace: string, name: string) =>
      profileObject(namespace, name, { metadata: { namespace, name, labels } });
    hub.put(labelled('a', 'one'), profileObject('a', 'two'), labelled('b', 'three'), labelled('c', 'four'));
    const made = await follow({ namespaces: ['a', 'b'], labelSelector: 'env=prod' });
    await live(made);
    await watched(2);
    expect(namesOf(made).sort()).toEqual(['a/one', 'b/three']);
    // One namespace is denied, the other goes on.
    hub.put(labelled('b', 'five'));
    await expect.poll(() => namesOf(made)).toHaveLength(3);
  });

  test('anew from its first page where it was compacted between two', async () => {
    hub.put(...Array.from({ length: 600 }, (_, number) => profileObject('fleet', `c${number}`)));
    let asked = 0;
    const made = await follow({}, async () => {
      asked++;
      if (asked === 2) {
        hub.compact();
      }
      return good;
    });
    await live(made);
    expect(namesOf(made)).toHaveLength(600);
  });

  test('in one page where each `continue` has expired, without what is gone by then', async () => {
    hub.put(...Array.from({ length: 600 }, (_, number) => profileObject('fleet', `c${number}`)));
    hub.pageFault = { kind: 'status', status: 410 };
    let asked = 0;
    const made = await follow({}, async () => {
      asked++;
      if (asked === 2) {
        hub.lags = true;
        hub.delete('fleet', 'c0');
        hub.compact();
        hub.lags = false;
      }
      return good;
    });
    await live(made);
    expect(namesOf(made)).toHaveLength(599);
    expect(hub.requests.slice(0, 3).map(({ query }) => [query['limit'], query['continue']])).toEqual([
      ['500', undefined],
      ['500', 'page-1'],
      [undefined, undefined],
    ]);
  });
});

describe('a hub is watched', () => {
  test('for what is made, changed and deleted', async () => {
    const made = await following();
    hub.put(profileObject('fleet', 'a'), profileObject('fleet', 'b'));
    await expect.poll(() => namesOf(made)).toEqual(['fleet/a', 'fleet/b']);
    hub.put(profileObject('fleet', 'a', { spec: { displayName: 'changed' } }));
    await expect.poll(() => displayNames(made)).toEqual(['changed', 'b']);
    hub.delete('fleet', 'a');
    await expect.poll(() => namesOf(made)).toEqual(['fleet/b']);
  });

  test('on from the last bookmark after a break, without a list', async () => {
    const made = await followingOne();
    clock.advance(10_000);
    hub.bookmark(hub.version + 5);
    await expect.poll(() => stateOf(made).lagMilliseconds).toBe(0);
    hub.breakWatches();
    await expect.poll(() => hub.requests.at(-1)?.query['resourceVersion']).toBe(String(hub.version + 5));
    await watched();
    expect(hub.lists).toBe(1);
    await live(made);
  });

  test('on after its own end at once', async () => {
    const made = await following();
    for (let round = 0; round < 3; round++) {
      clock.advance(10_000);
      const { length } = hub.requests;
      hub.endWatches();
      await expect.poll(() => hub.requests.length).toBe(length + 1);
      await heard(made);
    }
    expect(hub.lists).toBe(1);
  });

  test('not in a loop where each watch ends at once', async () => {
    const made = await following();
    hub.endWatches();
    await inTrouble(made, 'unreachable');
    expect(hub.requests).toHaveLength(2);
    expect(clock.pending).toBeGreaterThan(0);
  });

  test('with a lag, and then with what was missed', async () => {
    const made = await following();
    hub.lags = true;
    hub.put(profileObject('fleet', 'late'));
    clock.advance(30_000);
    expect(stateOf(made).lagMilliseconds).toBe(30_000);
    hub.lags = false;
    hub.catchUp();
    await expect.poll(() => namesOf(made)).toEqual(['fleet/late']);
    expect(stateOf(made).lagMilliseconds).toBe(0);
  });

  test('from a new list after 410, as a status and as an event', async () => {
    hub.put(profileObject('fleet', 'a'), profileObject('fleet', 'b'));
    const made = await following();
    const sorted = () => namesOf(made).sort();
    hub.lags = true;
    hub.delete('fleet', 'a');
    hub.compact();
    hub.lags = false;
    clock.advance(10_000);
    hub.breakWatches();
    await inTrouble(made, 'expired');
    expect(sorted()).toEqual(['fleet/a', 'fleet/b']);
    clock.advance(0);
    await expect.poll(sorted).toEqual(['fleet/b']);
    await heard(made);
    // By its code, and by its reason.
    for (const [code, reason] of [[410, ''] as const, [500, 'Expired'] as const]) {
      for (let ticks = 0; ticks < 5; ticks++) {
        clock.advance(15_000);
      }
      const { lists } = hub;
      hub.sendError(code, { reason });
      await inTrouble(made, 'expired');
      clock.advance(0);
      await live(made);
      await heard(made);
      expect(hub.lists).toBe(lists + 1);
    }
    expect(sorted()).toEqual(['fleet/b']);
  });
});

/** (rule: bounded-input) */
describe('what a hub does wrong is shown, and what was known stays', () => {
  const faults: [what: string, command: () => void, code: string, goesOn: 'list' | 'watch'][] = [
    ['a line that is no JSON', () => hub.sendLine('{"type":'), 'badAnswer', 'list'],
    ['a line that is no event', () => hub.sendLine('{"type":"PATCHED","object":{}}'), 'badAnswer', 'list'],
    ['an event without metadata', () => hub.sendLine('{"type":"ADDED","object":{}}'), 'badAnswer', 'list'],
    ['a line of 5 MiB', () => hub.sendLine('x'.repeat(5 << 20)), 'tooLarge', 'list'],
    ['a bookmark that goes back', () => hub.bookmark(5), 'outOfOrder', 'list'],
    ['an error event', () => hub.sendError(500), 'badAnswer', 'list'],
    ['429 as an event', () => hub.sendError(429, retryLater), 'throttled', 'watch'],
  ];
  test.each(faults)('%s', async (_what, command, code, goesOn) => {
    const made = await followingOne();
    command();
    await inTrouble(made, code);
    expect(stateOf(made)).toMatchObject({ kind: 'stale', lastSyncAt: clock.now() });
    const wait = code === 'throttled' ? 7_350 : 750;
    expect(stateOf(made).retryAt).toBe(clock.now() + wait);
    expect(namesOf(made)).toEqual(['fleet/a']);
    const { lists } = hub;
    clock.advance(wait);
    await live(made);
    expect(hub.lists).toBe(lists + (goesOn === 'list' ? 1 : 0));
    expect(stateOf(made).trouble).toBeNull();
  });

  const answers: [what: string, fault: InventoryHub['listFault'], code: string][] = [
    ['401', { kind: 'status', status: 401 }, 'unauthorized'],
    ['403', { kind: 'status', status: 403, message: 'User "x" cannot\u202e list' }, 'forbidden'],
    ['500', { kind: 'status', status: 500 }, 'status'],
    ['400', { kind: 'status', status: 400, message: 'unable to parse the selector' }, 'status'],
    ['a redirect', { kind: 'status', status: 307, headers: { location: 'http://127.0.0.1:9/' } }, 'status'],
    ['no JSON', { kind: 'body', body: '<html>' }, 'badAnswer'],
    ['another kind of JSON', { kind: 'body', body: '{"items":[]}' }, 'badAnswer'],
    ['nothing', { kind: 'hangUp' }, 'unreachable'],
  ];
  test.each(answers)('%s to a list', async (_what, fault, code) => {
    const made = await followingOne();
    hub.listFault = fault;
    expect(await made.source.sync()).toMatchObject({ ok: false, code });
    expect(stateOf(made)).toMatchObject({ kind: 'stale', trouble: { code } });
    expect(stateOf(made).trouble?.text).not.toMatch(/\u202e/);
    // Who reads it learns what the hub said of the request.
    const said = fault?.kind === 'status' ? (fault.message ?? '') : '';
    expect(stateOf(made).trouble?.text).toContain(said.replace('\u202e', '\\u{202e}'));
    expect(namesOf(made)).toEqual(['fleet/a']);
    hub.listFault = null;
    clock.advance(hubBackoff.longest);
    await live(made);
  });

  test('no CRD', async () => {
    const made = await followingOne();
    hub.versions = [];
    clock.advance(10_000);
    hub.breakWatches();
    await inTrouble(made, 'notServed');
    clock.advance(hubBackoff.longest);
    expect(namesOf(made)).toEqual(['fleet/a']);
    hub.versions = ['v1alpha1'];
    clock.advance(hubBackoff.longest);
    await live(made);
  });

  test('429 with Retry-After: no request comes sooner', async () => {
    hub.listFault = { kind: 'status', status: 429, headers: { 'retry-after': '600' } };
    let asked = 0;
    const made = await follow({}, async () => {
      asked++;
      return good;
    });
    await inTrouble(made, 'throttled');
    expect(stateOf(made)).toMatchObject({ kind: 'stale', lastSyncAt: null, retryAt: clock.now() + 630_000 });
    hub.listFault = null;
    made.source.wake();
    clock.advance(9 * minute);
    // What it would ask for first, it would have by now.
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toBe(1);
    clock.advance(2 * minute);
    await live(made);
  });

  test('429 with Retry-After: a sync that the user asks for does not wait', async () => {
    hub.listFault = { kind: 'status', status: 429, headers: { 'retry-after': '600' } };
    const made = await follow();
    await inTrouble(made, 'throttled');
    hub.listFault = null;
    expect(await made.source.sync()).toEqual({ ok: true });
    await live(made);
  });

  test('faults in a row: longer and longer waits', async () => {
    hub.listFault = { kind: 'hangUp' };
    const began = clock.now();
    const made = await follow();
    const waits: number[] = [];
    for (let round = 0; round < 9; round++) {
      await expect.poll(() => hub.requests.length).toBe(round + 1);
      await expect.poll(() => stateOf(made).retryAt ?? 0).toBeGreaterThan(clock.now());
      const wait = (stateOf(made).retryAt ?? 0) - clock.now();
      waits.push(wait);
      clock.advance(wait);
    }
    expect(waits).toEqual([750, 1500, 3000, 6000, 12_000, 24_000, 48_000, 90_000, 90_000]);
    expect(stateOf(made).troubleSince).toBe(began);
    hub.listFault = null;
    await made.source.sync();
    expect(stateOf(made).troubleSince).toBeNull();
  });

  test('a list that does not end', async () => {
    // Bare ones: 100,000 of them are read.
    const bare = { spec: {}, status: {} };
    hub.put(...Array.from({ length: 500 }, (_, number) => profileObject('fleet', `c${number}`, bare)));
    hub.isEndless = true;
    const made = await follow();
    await expect.poll(() => stateOf(made).trouble?.code, { timeout: 100_000 }).toBe('endless');
    expect(hub.lists).toBe(201);
    expect(namesOf(made)).toHaveLength(500);
    hub.isEndless = false;
    clock.advance(hubBackoff.first);
    await live(made);
  }, 120_000);

  test('a list that takes too long', async () => {
    hub.put(profileObject('fleet', 'a'));
    hub.isEndless = true;
    const made = await follow();
    await expect.poll(() => hub.lists).toBeGreaterThan(1);
    // Ten minutes, in which no single page is late.
    clock.sleep(601_000);
    await inTrouble(made, 'endless');
    // Before the number of its pages says so.
    expect(hub.lists).toBeLessThan(2_500);
    expect(namesOf(made)).toEqual(['fleet/a']);
  });

  test('a page that is too large is asked for again with fewer profiles', async () => {
    const message = 'x'.repeat(1 << 18);
    const large = (name: string) => profileObject('fleet', name, { status: { large: message } });
    hub.put(...Array.from({ length: 40 }, (_, number) => large(`c${number}`)));
    const made = await following();
    expect(namesOf(made)).toHaveLength(40);
    const limits = ['500', '62', '7', '14', '28', undefined];
    expect(hub.requests.map(({ query }) => query['limit'])).toEqual(limits);
  }, 120_000);

  test('a page of ever so many empty objects is not parsed', async () => {
    hub.put(profileObject('fleet', 'a', { status: { many: Array.from({ length: 120_000 }, () => ({})) } }));
    const made = await follow();
    await inTrouble(made, 'tooLarge');
  });

  test('an object that is no profile: its earlier form stays', async () => {
    hub.put(profileObject('fleet', 'a'), profileObject('fleet', 'b'));
    const made = await following();
    const metadata = { namespace: 'fleet', name: 'a', resourceVersion: String(hub.version) };
    hub.sendLine(JSON.stringify({ type: 'MODIFIED', object: { kind: 'Other', metadata } }));
    await expect
      .poll(() => made.store.problems())
      .toEqual([{ namespace: 'fleet', name: 'a', text: 'is no ClusterProfile of multicluster.x-k8s.io' }]);
    expect(namesOf(made).sort()).toEqual(['fleet/a', 'fleet/b']);
    hub.put(profileObject('fleet', 'a'));
    await expect.poll(() => made.store.problems()).toEqual([]);
  });

  test('a hub that is silent: an answer in a minute, a watch until after its end', async () => {
    hub.listFault = { kind: 'silent' };
    const made = await follow();
    await expect.poll(() => hub.requests.length).toBe(1);
    clock.advance(minute);
    await inTrouble(made, 'silent');
    hub.listFault = null;
    clock.advance(hubBackoff.first);
    await live(made);
    await watched();
    const asked = Number(hub.requests.at(-1)?.query['timeoutSeconds']);
    expect(asked).toBe(210);
    for (let ticks = 0; ticks < 16; ticks++) {
      clock.advance(15_000);
    }
    await inTrouble(made, 'silent');
    expect(stateOf(made).lagMilliseconds).toBe(240_000);
  });

  test('no credential: the words of who denies it', async () => {
    let obtained: Obtained = refuse('locked', 'locked', 'lanyard is locked');
    const made = await follow({}, async () => obtained);
    await inTrouble(made, 'noCredential');
    expect(stateOf(made).trouble?.text).toBe('no credential for the hub: lanyard is locked');
    expect(hub.requests).toEqual([]);
    obtained = good;
    made.source.wake();
    await live(made);
  });
});

test('a credential that does not come is what is wrong', async () => {
  const made = await follow({}, () => new Promise(() => {}));
  await expect.poll(() => clock.pending).toBeGreaterThan(0);
  clock.advance(minute);
  await inTrouble(made, 'noCredential');
});

test('an error of Lanyard’s own is logged, and the hub is listed anew', async () => {
  const made = await followingOne();
  const put = made.store.profiles;
  const logged: unknown[] = [];
  log.error = (event, fields) => void logged.push([event, fields]);
  const profiles = put.call(made.store) as Map<string, unknown>;
  const set = profiles.set.bind(profiles);
  profiles.set = () => {
    profiles.set = set;
    throw new Error('a slip');
  };
  hub.put(profileObject('fleet', 'b'));
  await inTrouble(made, 'internal');
  expect(logged).toEqual([['inventory.error', { inventory: 'fleet', error: 'Error: a slip' }]]);
  clock.advance(hubBackoff.first);
  await live(made);
  expect(hub.lists).toBe(2);
});

describe('a list without most of the profiles', () => {
  test.each([
    [3, 2],
    [2, 1],
  ])('of %i, without %i: whether it needs a second one', async (count, gone) => {
    const names = Array.from({ length: count }, (_, number) => `c${number}`);
    hub.put(...names.map((name) => profileObject('fleet', name)));
    const made = await following();
    hub.forgetAll();
    hub.put(...names.slice(gone).map((name) => profileObject('fleet', name)));
    await made.source.sync();
    const needsSecond = gone * 2 > count;
    expect(namesOf(made)).toHaveLength(needsSecond ? count : count - gone);
    expect(stateOf(made).trouble?.code).toBe(needsSecond ? 'emptied' : undefined);
    clock.sleep(5 * minute);
    await made.source.sync();
    expect(namesOf(made)).toHaveLength(count - gone);
    await live(made);
  });
});

describe('an empty list where there were profiles', () => {
  test('removes nothing, until a second one minutes later', async () => {
    hub.put(profileObject('fleet', 'a'), profileObject('fleet', 'b'));
    const made = await following();
    hub.forgetAll();
    expect(await made.source.sync()).toMatchObject({ ok: false, code: 'emptied' });
    expect(stateOf(made)).toMatchObject({ kind: 'stale', trouble: { code: 'emptied' } });
    expect(namesOf(made)).toHaveLength(2);
    // Neither another list within these minutes, nor a bookmark.
    clock.advance(10_000);
    await made.source.sync();
    await watched();
    hub.bookmark();
    expect(namesOf(made)).toHaveLength(2);
    expect(stateOf(made).kind).toBe('stale');
    const { lists } = hub;
    for (let ticks = 0; ticks < 20; ticks++) {
      await watched();
      clock.advance(15_000);
    }
    await expect.poll(() => namesOf(made)).toEqual([]);
    expect(hub.lists).toBe(lists + 1);
    await live(made);
  });

  test('is what is wrong again, after a fault in between is over', async () => {
    const made = await followingOne();
    hub.forgetAll();
    await made.source.sync();
    await watched();
    hub.sendError(429, retryLater);
    await inTrouble(made, 'throttled');
    clock.advance(7_350);
    await inTrouble(made, 'emptied');
    expect(namesOf(made)).toEqual(['fleet/a']);
  });

  test('is forgotten where the profiles are back', async () => {
    hub.put(profileObject('fleet', 'a'), profileObject('fleet', 'b'));
    const made = await following();
    hub.forgetAll();
    await made.source.sync();
    hub.put(profileObject('fleet', 'a'));
    await made.source.sync();
    expect(namesOf(made)).toEqual(['fleet/a']);
    await live(made);
  });

  test('of a hub that never had any is simply empty', async () => {
    const made = await following();
    expect(stateOf(made)).toMatchObject({ kind: 'live', trouble: null });
  });
});

describe('time that jumps', () => {
  test('a sleep ends the watch, whose connection may be dead, and it goes on from where it was', async () => {
    const made = await following();
    clock.sleep(8 * 60 * minute);
    clock.advance(15_000);
    await expect.poll(() => hub.requests.length).toBe(3);
    expect(hub.lists).toBe(1);
    await live(made);
    expect(stateOf(made).lagMilliseconds).toBe(0);
  });

  test('a wall clock that is set back makes no negative lag', async () => {
    const made = await following();
    clock.setWall(clock.now() - 3_600_000);
    clock.advance(5_000);
    expect(stateOf(made).lagMilliseconds).toBe(5_000);
  });
});

test('over TLS, with its CA and a token, until that is revoked', async () => {
  hub.put(profileObject('fleet', 'a'));
  const staticTokens = { good: { name: 'alice', groups: [] } };
  const api = await startKubernetesApi({ staticTokens, more: hub });
  opened.add({ dispose: () => api.dispose() });
  const made = await follow({}, undefined, api);
  await expect.poll(() => namesOf(made)).toEqual(['fleet/a']);
  api.rejectTokens('good');
  expect(await made.source.sync()).toMatchObject({ ok: false, code: 'unauthorized' });
  expect(namesOf(made)).toEqual(['fleet/a']);
  await made.source.dispose();
});

test('a namespace that config.yaml no longer names takes its profiles along', async () => {
  hub.put(profileObject('a', 'one'), profileObject('b', 'two'));
  const made = await follow();
  await live(made);
  expect(namesOf(made)).toHaveLength(2);
  await made.source.dispose();
  const [sink] = made.store.begin(['b']);
  expect(namesOf(made)).toEqual(['b/two']);
  expect(stateOf(made).kind).toBe('stale');
  sink?.heard();
  expect(stateOf(made).kind).toBe('live');
});

test.each([
  ['a credential for the hub', 'credential'],
  ['page 1 of its list from the hub', 'answer'],
])('a sync says after a while that it waits for %s, and it goes on', async (what, missing) => {
  const late = Promise.withResolvers<Obtained>();
  let [isLate, isAsked] = [false, false];
  const made = await follow({}, async () => {
    isAsked = isLate;
    return isLate ? late.promise : good;
  });
  await live(made);
  await heard(made);
  isLate = missing === 'credential';
  hub.listFault = { kind: 'silent' };
  const asked = made.source.sync();
  await watched(0);
  await expect.poll(() => isAsked || hub.lists === 2).toBe(true);
  clock.advance(30_000);
  expect(await asked).toEqual({
    ok: false,
    code: 'silent',
    text: `after 30 s it still waits for ${what}; it goes on`,
  });
  late.resolve(good);
});

test('a sync that is asked for while a list comes in gets a list of its own', async () => {
  const made = await following();
  const first = made.source.sync();
  const second = made.source.sync();
  await expect.poll(() => hub.lists).toBeGreaterThan(1);
  const third = made.source.sync();
  expect(await Promise.all([first, second, third])).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
  await live(made);
});

test('an end of following ends everything: no timer, no connection, each sync answered', async () => {
  const made = await following();
  hub.listFault = { kind: 'silent' };
  const asked = made.source.sync();
  await expect.poll(() => hub.lists).toBe(2);
  await made.source.dispose();
  expect(await asked).toMatchObject({ ok: false });
  expect(await made.source.sync()).toMatchObject({ ok: false });
  await watched(0);
  await made.store.dispose();
  expect(clock.pending).toBe(0);
});
