import { expect, test } from 'vitest';
import { createListeners } from '../../base/listeners.ts';
import { refuse } from '../../contract/refusal.ts';
import type { PendingChange } from '../../domain/approval/binding.ts';
import type { ChosenProfile } from '../../domain/inventory/chosen-profiles.ts';
import type { Profile } from '../../domain/inventory/profile.ts';
import { type LoadedConfig, loadedEntries } from '../../domain/loaded-config.ts';
import { loadedAccount, loadedInventory } from '../../domain/testing/loaded.ts';
import { Resolutions } from '../../inventory/resolutions.ts';
import { aProfile } from '../../inventory/testing/a-profile.ts';
import { liveInventory } from '../../inventory/testing/live-inventory.ts';
import { profileCluster } from '../../inventory/with-profiles.ts';
import { silentLog } from '../../ports/log.ts';
import { createInventoryFigures } from './inventory-figures.ts';
import { createProfileIndex } from './profile-index.ts';

const [used, pending, remade, refused] = ['used', 'pending', 'remade', 'refused'].map((name) =>
  aProfile('team', name),
) as [Profile, Profile, Profile, Profile];
const known = [
  used,
  pending,
  remade,
  refused,
  aProfile('team', 'free'),
  aProfile('team', 'bare', { providers: [] }),
];
const chosenOf = (
  { inventory, namespace, name, uid }: Profile,
  more: Partial<ChosenProfile> = {},
): ChosenProfile => ({
  inventory,
  namespace,
  name,
  uid,
  contextName: name,
  chosen: 'user',
  ...more,
});
const chosen = [
  chosenOf(used),
  chosenOf(pending),
  chosenOf(remade, { uid: 'earlier' }),
  chosenOf(refused),
  chosenOf(aProfile('team', 'gone')),
  chosenOf(aProfile('team', 'dropped'), { chosen: 'no' }),
];

function figures() {
  const resolutions = new Resolutions();
  const config = {
    ...loadedEntries(() => new Map()),
    accounts: new Map([['corp', loadedAccount('corp', { staticToken: {} })]]),
    inventories: new Map([
      ['fleet', loadedInventory('fleet', { providers: [{ name: 'google', account: 'corp' }] })],
    ]),
  } as unknown as LoadedConfig;
  const clusters = [used, pending].map((profile) => {
    const resolution = resolutions.of(profile, config);
    if (!resolution?.ok) {
      throw new Error('it can’t be used');
    }
    return profileCluster({ ...profile, contextName: profile.name }, resolution);
  });
  const changes: PendingChange[] = [];
  const listeners = createListeners();
  const state = { lastSyncAt: 1 as number | null, isLocked: false, counted: 0 };
  const merged = { ...config, clusters: new Map(clusters.map((each) => [each.name, each])) };
  const deps = {
    config: { current: () => merged },
    bindings: {
      changes: () => changes,
      pending: (_: string, name: string) => {
        if (state.isLocked) {
          throw new Error('vault.locked');
        }
        return name === 'pending' ? ({} as PendingChange) : null;
      },
    },
    gate: () => (state.isLocked ? refuse('locked', 'x', 'locked') : null),
    inventories: {
      profile: ({ namespace, name }: Pick<Profile, 'namespace' | 'name'>) =>
        known.find((each) => each.namespace === namespace && each.name === name) ?? null,
      profilesOf: () => {
        state.counted += 1;
        return known;
      },
      state: () => liveInventory({ lastSyncAt: state.lastSyncAt }),
      problems: () => [{ namespace: null, name: null, text: 'is no profile' }],
      onChange: (listener: () => void) => listeners.add(listener),
    },
    used: { current: () => chosen },
    resolutions,
    log: silentLog,
  };
  const index = createProfileIndex(deps);
  const reader = createInventoryFigures({ ...deps, profiles: index });
  return { index, reader, listeners, state };
}

test('counts the profiles of an inventory by state', async () => {
  const [fleet] = await figures().reader.read();
  expect(fleet).toMatchObject({
    name: 'fleet',
    profiles: { inUse: 1, pending: 1, remade: 1, refused: 1, available: 1, unusable: 1, gone: 1 },
    problems: 1,
  });
});

test('counts once for each change, not for each reader', async () => {
  const { reader, listeners, state } = figures();
  await Promise.all([reader.read(), reader.read()]);
  await reader.read();
  expect(state.counted).toBe(1);
  listeners.tell();
  await reader.read();
  expect(state.counted).toBe(2);
});

test('locked, what is pending counts as in use', async () => {
  const { reader, state } = figures();
  state.isLocked = true;
  expect((await reader.read())[0]?.profiles).toMatchObject({ inUse: 2, pending: 0 });
});

test('nothing is gone before the first list', async () => {
  const { reader, state } = figures();
  state.lastSyncAt = null;
  expect((await reader.read())[0]?.profiles.gone).toBe(0);
});

test('the latest list is made in the background, and told of', async () => {
  const { index, listeners } = figures();
  const told = () => new Promise<void>((resolve) => index.onChange(resolve));
  const first = told();
  expect(index.latest()).toBeNull();
  await first;
  const list = index.latest();
  expect(list?.rows.map(({ profile, state }) => `${profile.name} ${state}`)).toEqual([
    'bare unusable',
    'free available',
    'pending pending',
    'refused refused',
    'remade remade',
    'used inUse',
  ]);
  expect(list?.counts.get('fleet')).toMatchObject({ total: 6, inUseByAccount: new Map([['corp', 2]]) });
  expect(index.latest()).toBe(list);
  listeners.tell();
  const second = told();
  expect(index.latest()).toBe(list);
  await second;
  expect(index.latest()?.version).toBe((list?.version ?? 0) + 1);
});
