import { expect, test } from 'vitest';
import { account as accountSchema } from '../contract/config/accounts/account.ts';
import { cluster as clusterSchema } from '../contract/config/cluster.ts';
import { inventory as inventorySchema } from '../contract/config/inventory.ts';
import { defaultSettings } from '../contract/config/settings.ts';
import { clusterShape } from '../domain/approval/cluster-shape.ts';
import type { ChosenProfile } from '../domain/inventory/chosen-profiles.ts';
import type { Profile } from '../domain/inventory/profile.ts';
import type { LoadedCluster, LoadedConfig } from '../domain/loaded-config.ts';
import { noEntries } from '../domain/testing/no-entries.ts';
import { silentLog } from '../ports/log.ts';
import { Resolutions } from './resolutions.ts';
import { createSelecting } from './select-profiles.ts';
import { aProfile } from './testing/a-profile.ts';

const loaded = <Config>(name: string, config: Config) => ({ name, config, certificateAuthorityPem: null });

const config: LoadedConfig = {
  ...noEntries,
  settings: defaultSettings,
  accounts: new Map([['corp', loaded('corp', accountSchema.parse({ staticToken: {} }))]]),
  inventories: new Map([
    [
      'fleet',
      loaded(
        'fleet',
        inventorySchema.parse({
          files: ['/profiles'],
          providers: [{ name: 'google', account: 'corp' }],
          select: 'env=prod',
        }),
      ),
    ],
  ]),
};

const eu = aProfile('team', 'eu');
const chosen = (profile: Profile, more: Partial<ChosenProfile> = {}): ChosenProfile => {
  const { inventory, namespace, name, uid } = profile;
  return { inventory, namespace, name, uid, contextName: name, chosen: 'selector', ...more };
};
const shapeOf = ({ inventory, namespace, name, uid }: Profile) =>
  clusterShape({
    ...loaded(name, clusterSchema.parse({ server: `https://${name}.example.com`, account: 'corp' })),
    origin: { inventory, namespace, name, uid, provider: 'google' },
  });

/** One choice by `select` of `profiles`, with the clusters that are approved before it. */
async function settled(
  profiles: Profile[],
  before: readonly ChosenProfile[],
  approved: Record<string, string>,
  inventories: Record<string, string> = {},
) {
  let now = before;
  const clusters = { ...approved };
  const selecting = createSelecting({
    inventories: { profilesOf: (name) => profiles.filter(({ inventory }) => inventory === name) },
    used: {
      current: () => now,
      onChange: () => ({ dispose: () => undefined }),
      update: async (next) => {
        now = next(now);
      },
    },
    resolutions: new Resolutions(),
    active: () => config,
    isServed: () => true,
    approvals: {
      current: () => ({ clusters, inventories }),
      forget: async (names) => {
        for (const name of names) {
          delete clusters[name];
        }
      },
    },
    log: { ...silentLog, warn: (_, what) => expect.unreachable(JSON.stringify(what)) },
  });
  selecting.follow();
  await selecting.dispose();
  return { chosen: now, approved: Object.keys(clusters) };
}

const own: LoadedCluster = loaded(
  'own',
  clusterSchema.parse({ server: 'https://own.example.com', account: 'corp' }),
);

test('a profile in use keeps its approval, also while it is gone; a cluster of config.yaml does, too', async () => {
  const approved = { eu: shapeOf(eu), own: clusterShape(own) };
  expect(await settled([eu], [chosen(eu)], approved)).toEqual({
    chosen: [chosen(eu)],
    approved: ['eu', 'own'],
  });
  expect((await settled([], [chosen(eu)], approved)).approved).toEqual(['eu', 'own']);
});

test('one that select has no more loses its approval', async () => {
  const changed = { ...eu, labels: new Map() };
  expect(await settled([changed], [chosen(eu)], { eu: shapeOf(eu) })).toEqual({ chosen: [], approved: [] });
});

test('an approval that a broker left when it was killed goes, and so does that of one that was dropped', async () => {
  expect((await settled([], [], { eu: shapeOf(eu) })).approved).toEqual([]);
  expect((await settled([eu], [chosen(eu, { chosen: 'no' })], { eu: shapeOf(eu) })).approved).toEqual([]);
});

test('an inventory that was removed leaves none; one that is only missing from config.yaml leaves all', async () => {
  const other = aProfile('team', 'us', { inventory: 'other' });
  const approved = { us: shapeOf(other) };
  const missing = await settled([], [chosen(other)], approved, { other: '{}' });
  expect(missing).toEqual({ chosen: [chosen(other)], approved: ['us'] });
  expect(await settled([], [chosen(other)], approved)).toEqual({ chosen: [], approved: [] });
});
