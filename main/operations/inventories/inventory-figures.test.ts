import { expect, test } from 'vitest';
import { createListeners } from '../../base/listeners.ts';
import { account } from '../../contract/config/config.ts';
import { inventory } from '../../contract/config/inventory.ts';
import { refuse } from '../../contract/refusal.ts';
import type { PendingChange } from '../../domain/approval/binding.ts';
import type { ChosenProfile } from '../../domain/inventory/chosen-profiles.ts';
import type { Profile } from '../../domain/inventory/profile.ts';
import { type LoadedConfig, loadedEntries } from '../../domain/loaded-config.ts';
import { Resolutions } from '../../inventory/resolutions.ts';
import { aProfile } from '../../inventory/testing/a-profile.ts';
import { profileCluster } from '../../inventory/with-profiles.ts';
import { createInventoryFigures } from './inventory-figures.ts';

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
    accounts: new Map([['corp', { name: 'corp', config: account.parse({ staticToken: {} }) }]]),
    inventories: new Map([
      [
        'fleet',
        {
          name: 'fleet',
          config: inventory.parse({ cluster: 'hub', providers: [{ name: 'google', account: 'corp' }] }),
        },
      ],
    ]),
  } as unknown as LoadedConfig;
  const clusters = [used, pending].map((profile) => {
    const resolution = resolutions.of(profile, config);
    if (!resolution?.ok) {
      throw new Error('it can’t be used');
    }
    return profileCluster({ ...profile, contextName: profile.name }, resolution);
  });
  const listeners = createListeners();
  const state = { lastSyncAt: 1 as number | null, isLocked: false, counted: 0 };
  const reader = createInventoryFigures({
    config: { current: () => ({ ...config, clusters: new Map(clusters.map((each) => [each.name, each])) }) },
    bindings: {
      pending: (_, name) => {
        if (state.isLocked) {
          throw new Error('vault.locked');
        }
        return name === 'pending' ? ({} as PendingChange) : null;
      },
    },
    gate: () => (state.isLocked ? refuse('locked', 'x', 'locked') : null),
    inventories: {
      profile: ({ namespace, name }) =>
        known.find((each) => each.namespace === namespace && each.name === name) ?? null,
      profilesOf: () => {
        state.counted += 1;
        return known;
      },
      state: () => ({
        kind: 'live',
        lastSyncAt: state.lastSyncAt,
        lagMilliseconds: 5,
        trouble: null,
        servedVersion: null,
        retryAt: null,
      }),
      problems: () => [{ namespace: null, name: null, text: 'is no profile' }],
      onChange: (listener) => listeners.add(listener),
    },
    used: { current: () => chosen },
    resolutions,
    changes: [],
  });
  return { reader, listeners, state };
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
