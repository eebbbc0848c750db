import { expect, test } from 'vitest';
import { entryChanges } from '../../domain/approval/binding.ts';
import { readProfile } from '../../domain/inventory/read-profile.ts';
import { profileOfCluster } from '../../domain/inventory/testing/a-profile.ts';
import { type LoadedConfig, loadedEntries } from '../../domain/loaded-config.ts';
import { loadedAccount, loadedCluster, loadedInventory } from '../../domain/testing/loaded.ts';
import { Resolutions } from '../../inventory/resolutions.ts';
import { profileCluster } from '../../inventory/with-profiles.ts';
import { approveTrusted } from './approve-trusted.ts';

const read = readProfile(profileOfCluster({ server: 'https://new.example.com' }), 'fleet');
if (!read.ok) {
  throw new Error(read.fault);
}
const { profile } = read;
const trusting = {
  cluster: 'hub',
  providers: [{ name: 'google', account: 'corp' }],
  servers: ['*.example.com'],
  trusted: true,
};

/** What is approved of a profile that moved, with this inventory in config.yaml, and that one approved. */
async function approvedOf(written: object, approved: object, mayMove = true): Promise<string[]> {
  const resolutions = new Resolutions();
  const configOf = (stated: object, clusters: LoadedConfig['clusters'] = new Map()): LoadedConfig =>
    ({
      ...loadedEntries(() => new Map()),
      accounts: new Map([['corp', loadedAccount('corp', { staticToken: {} })]]),
      inventories: new Map([['fleet', loadedInventory('fleet', stated)]]),
      clusters,
    }) as unknown as LoadedConfig;
  const resolution = resolutions.of(profile, configOf(written));
  if (!resolution?.ok) {
    throw new Error('it can’t be used');
  }
  const now = profileCluster({ ...profile, contextName: 'eu' }, resolution);
  const config = configOf(written, new Map([['eu', now]]));
  const was = { ...now, ...loadedCluster('eu', { server: 'https://old.example.com', account: 'corp' }) };
  const none = { accounts: {}, clusters: {}, registries: {}, inventories: {} };
  const [before] = entryChanges(clustersOf(was), none);
  const changes = entryChanges(clustersOf(now), { ...none, clusters: { eu: before?.after ?? '' } });
  const names: string[] = [];
  await approveTrusted({
    config: { current: () => config },
    active: () => configOf(approved),
    bindings: {
      changes: () => changes,
      isServed: () => true,
      approve: async (shown) => {
        names.push(...shown.changes.map(({ after }) => String(JSON.parse(after).server)));
      },
    },
    inventories: { profile: () => profile },
    resolutions,
    recorder: { record: () => undefined } as never,
    allow: () => mayMove,
  });
  return names;
}

function clustersOf(entry: ReturnType<typeof profileCluster>) {
  return loadedEntries((kind) => (kind === 'cluster' ? (new Map([['eu', entry]]) as never) : new Map()));
}

test('a profile of a trusted inventory may move within its servers', async () => {
  expect(await approvedOf(trusting, trusting)).toEqual(['https://new.example.com']);
});

test('one that has moved too often stays pending', async () => {
  expect(await approvedOf(trusting, trusting, false)).toEqual([]);
});

test.each<[what: string, written: object, approved: object]>([
  [
    'a server that pending rewrites lead elsewhere',
    { ...trusting, serverRewrites: [{ from: 'https://new.example.com', to: 'https://evil.example.net' }] },
    trusting,
  ],
  ['what is trusted only by a pending change', trusting, { ...trusting, trusted: false }],
  ['a server that only pending `servers` have', trusting, { ...trusting, servers: ['old.example.com'] }],
])('%s needs approval', async (_, written, approved) => {
  expect(await approvedOf(written, approved)).toEqual([]);
});
