import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { modeOf } from '../../test/support/system.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { Disposables } from '../base/disposables.ts';
import type { Profile, ProfileProvider } from '../domain/inventory/profile.ts';
import { silentLog } from '../ports/log.ts';
import { openProfileStore, type ProfileStore } from './profile-store.ts';
import { profileQuota } from './quota.ts';
import type { ScopeSink } from './scope-sink.ts';
import { fileName, readStored, removeStored } from './stored-profiles.ts';
import { aProfile, read } from './testing/a-profile.ts';

const folder = temporaryFolder();
let clock: ManualClock;
let opened: Disposables;
const place = () => ({ folder: join(folder(), 'inventories'), inventory: 'fleet', origin: 'hub prod' });

beforeEach(() => {
  clock = new ManualClock();
  opened = new Disposables();
});
afterEach(() => opened.dispose());

async function open(more: object = {}): Promise<ProfileStore> {
  return opened.add(await openProfileStore({ ...place(), clock, log: silentLog, ...more }));
}

function list(store: ProfileStore, profiles: readonly Profile[], sink = onlySink(store)) {
  const listing = sink.beginListing();
  for (const profile of profiles) {
    listing.put(read(profile));
  }
  const outcome = listing.complete();
  sink.heard();
  return { sink, outcome };
}

function onlySink(store: ProfileStore): ScopeSink {
  const [sink] = store.begin([null]);
  if (!sink) {
    throw new Error('no sink');
  }
  return sink;
}

/** A store that tells of changes, as `two` come. */
async function toldOf() {
  const store = await open();
  let told = 0;
  store.onChange(() => {
    told++;
  });
  return { ...list(store, two), told: () => told };
}

const namesOf = (store: ProfileStore) => [...store.profiles().keys()].sort();
const two = [aProfile('team', 'a'), aProfile('team', 'b')];

describe('what is known', () => {
  test('is the same object where nothing changed', async () => {
    const store = await open();
    const { sink } = list(store, two);
    const before = store.profiles().get('team/a');
    sink.put(read(aProfile('team', 'a')));
    expect(store.profiles().get('team/a')).toBe(before);
    sink.put(read(aProfile('team', 'a', { uid: 'another' })));
    expect(store.profiles().get('team/a')?.uid).toBe('another');
  });

  test('is told once for each burst', async () => {
    const { sink, told } = await toldOf();
    expect(told()).toBe(0);
    clock.advance(100);
    expect(told()).toBe(1);
    for (let number = 0; number < 50; number++) {
      sink.put(read(aProfile('team', `c${number}`)));
    }
    clock.advance(100);
    expect(told()).toBe(2);
    // Nothing that differs.
    sink.put(read(aProfile('team', 'a')));
    sink.heard();
    clock.advance(1_000);
    expect(told()).toBe(2);
  });

  test('is told in half a second where a burst doesn’t end', async () => {
    const { sink, told } = await toldOf();
    clock.advance(100);
    for (let number = 0; number < 10; number++) {
      sink.put(read(aProfile('team', `c${number}`)));
      clock.advance(90);
    }
    expect(told()).toBe(2);
  });

  test('is without what a complete list no longer has; with it after a list that broke off', async () => {
    const store = await open();
    const { sink } = list(store, two);
    const broken = sink.beginListing();
    broken.put(read(aProfile('team', 'c')));
    broken.abandon();
    expect(namesOf(store)).toEqual(['team/a', 'team/b', 'team/c']);
    const complete = sink.beginListing();
    complete.put(read(aProfile('team', 'b')));
    complete.put(read(aProfile('team', 'c')));
    expect(complete.complete()).toBe('taken');
    expect(namesOf(store)).toEqual(['team/b', 'team/c']);
  });

  test('keeps the earlier form of what a list has, and can’t be read', async () => {
    const store = await open();
    const { sink } = list(store, two);
    const listing = sink.beginListing();
    listing.put(read(aProfile('team', 'a')));
    listing.put({ ok: false, fault: 'is of v9', namespace: 'team', name: 'b' });
    listing.put({ ok: false, fault: 'has no name', namespace: null, name: null });
    listing.complete();
    expect(namesOf(store)).toEqual(['team/a', 'team/b']);
    expect(store.problems()).toHaveLength(2);
    list(store, two, sink);
    expect(store.problems()).toEqual([]);
  });

  test('of one namespace is no other’s business', async () => {
    const store = await open();
    const [one, sink] = store.begin(['one', 'two']) as [ScopeSink, ScopeSink];
    list(store, [aProfile('one', 'a'), aProfile('elsewhere', 'x')], one);
    list(store, [aProfile('two', 'b')], sink);
    expect(namesOf(store)).toEqual(['one/a', 'two/b']);
    sink.remove('one', 'a');
    expect(namesOf(store)).toEqual(['one/a', 'two/b']);
    sink.failed({ code: 'forbidden', text: 'the hub says no' }, null);
    expect(store.state()).toMatchObject({
      kind: 'stale',
      trouble: { code: 'forbidden', text: 'namespace two: the hub says no' },
    });
  });

  test('is bounded, for each namespace: one can’t crowd out the others', async () => {
    const store = await open();
    const { sink } = list(store, two);
    const large = 'x'.repeat(1 << 20);
    const count = Math.floor(profileQuota.namespace.bytes / (1 << 20)) + 5;
    for (let number = 0; number < count; number++) {
      sink.put(read(aProfile('evil', `c${number}`, { displayName: large })));
    }
    sink.put(read(aProfile('team', 'c')));
    expect(store.profiles().size).toBeLessThan(count);
    expect(store.profiles().has('team/c')).toBe(true);
    expect(store.state()).toMatchObject({ kind: 'live', trouble: { code: 'overQuota' } });
    const text = expect.stringContaining('left out');
    expect(store.problems()[0]).toMatchObject({ namespace: 'evil', text });
    for (let number = 0; number < count; number++) {
      sink.remove('evil', `c${number}`);
    }
    expect(store.state().trouble).toBeNull();
    expect(store.problems()).toEqual([]);
  });
});

describe('the copy on disk', () => {
  const file = () => join(place().folder, 'fleet.json');

  test('is there after a restart, stale, with its age', async () => {
    const store = await open();
    const [provider] = aProfile('team', 'a').providers;
    // As most profiles are: without an exec config.
    const bare = { ...provider, execConfig: undefined, args: null, env: null } as ProfileProvider;
    const known = [aProfile('team', 'a'), aProfile('team', 'b', { uid: null, providers: [bare] })];
    list(store, known);
    const heardAt = clock.now();
    await store.dispose();
    clock.advance(3_600_000);
    const again = await open();
    expect([...again.profiles().values()]).toStrictEqual(known);
    expect(again.state()).toMatchObject({ kind: 'stale', lastSyncAt: heardAt, lagMilliseconds: 3_600_000 });
    expect(modeOf(file())).toBe(0o600);
    expect(modeOf(place().folder)).toBe(0o700);
  });

  test('is JSON, with a profile a line', async () => {
    const store = await open();
    list(store, two);
    await store.save();
    const text = readFileSync(file(), 'utf8');
    const profiles = [{ name: 'a' }, { name: 'b' }];
    expect(JSON.parse(text)).toMatchObject({ version: 1, inventory: 'fleet', profiles });
    expect(text.split('\n')).toHaveLength(5);
    list(store, []);
  });

  test('is written some seconds after a change, and then every half minute at most', async () => {
    const store = await open();
    const { sink } = list(store, two);
    const stored = async () => {
      const found = await readStored(place());
      return found === null || found === 'damaged' ? found : found.profiles.length;
    };
    clock.advance(2_000);
    await expect.poll(stored).toBe(2);
    sink.put(read(aProfile('team', 'c')));
    clock.advance(20_000);
    // The write still waits.
    expect(clock.pending).toBe(1);
    expect(await stored()).toBe(2);
    clock.advance(10_000);
    await expect.poll(stored).toBe(3);
  });

  test('of more profiles than one batch is read whole', async () => {
    const many = Array.from({ length: 600 }, (_, number) => aProfile('team', `c${number}`));
    const store = await open();
    list(store, many);
    await store.dispose();
    expect((await open()).profiles().size).toBe(600);
  });

  test('of another source is not read', async () => {
    const store = await open();
    list(store, two);
    await store.dispose();
    const other = await open({ origin: 'hub dev' });
    expect(other.profiles().size).toBe(0);
    expect(other.state().kind).toBe('starting');
  });

  test.each([
    ['that ends early', (text: string) => text.slice(0, -30)],
    ['that ends after a line', (text: string) => `${text.split('\n').slice(0, 2).join('\n')}\n`],
    ['of a newer Lanyard', (text: string) => text.replace('"version":1', '"version":2')],
    ['with something else', () => '{"version":1}'],
    ['with a broken line', (text: string) => text.replace('"uid":', '"uid')],
    ['that is empty', () => ''],
  ])('%s is begun anew', async (_what, damage) => {
    const store = await open();
    list(store, two);
    await store.dispose();
    writeFileSync(file(), damage(readFileSync(file(), 'utf8')));
    const again = await open();
    expect(again.profiles().size).toBe(0);
    list(again, two);
    await again.save();
    expect((await open()).profiles().size).toBe(2);
  });

  test('that can’t be written is tried again', async () => {
    const store = await open();
    writeFileSync(place().folder, 'in the way');
    list(store, two);
    await expect(store.save()).rejects.toThrow();
    rmSync(place().folder);
    await store.dispose();
    expect((await open()).profiles().size).toBe(2);
  });

  test('has a file name of its own for each name of config.yaml', async () => {
    const long = 'X'.repeat(127);
    const names = ['fleet', 'Fleet', 'team/fleet', 'team:fleet', 'team%2ffleet', `${long}X`, `${long}Y`];
    const files = names.map(fileName);
    expect(new Set(files.map((name) => name.toLowerCase())).size).toBe(names.length);
    expect(files.every((name) => /^[a-z0-9._%-]{1,250}$/.test(name))).toBe(true);
    mkdirSync(place().folder);
    writeFileSync(file(), '');
    await removeStored(place().folder, 'fleet');
    await removeStored(place().folder, 'fleet');
    expect(readdirSync(place().folder)).toEqual([]);
  });
});
