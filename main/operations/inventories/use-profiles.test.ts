import { describe, expect, test } from 'vitest';
import type { PendingChange } from '../../domain/approval/binding.ts';
import { clusterShape } from '../../domain/approval/cluster-shape.ts';
import { type ChosenProfile, withChosen } from '../../domain/inventory/chosen-profiles.ts';
import { readProfile } from '../../domain/inventory/read-profile.ts';
import type { ResolvedProfile } from '../../domain/inventory/resolve-profile.ts';
import { profileObject } from '../../domain/inventory/testing/a-profile.ts';
import { type LoadedCluster, type LoadedConfig, loadedEntries } from '../../domain/loaded-config.ts';
import { loadedAccount, loadedInventory } from '../../domain/testing/loaded.ts';
import { Resolutions } from '../../inventory/resolutions.ts';
import { profileCluster } from '../../inventory/with-profiles.ts';
import type { ProfileRow } from './profile-rows.ts';
import { prepareUse, type UseProfilesDeps, useProfiles } from './use-profiles.ts';

const config = {
  ...loadedEntries(() => new Map()),
  accounts: new Map([['corp', loadedAccount('corp', { staticToken: {} })]]),
  inventories: new Map([
    ['fleet', loadedInventory('fleet', { providers: [{ name: 'google', account: 'corp' }], contexts: 2 })],
  ]),
} as unknown as LoadedConfig;

const naming = { template: () => '{name}', isTaken: () => false };

function rowOf(namespace: string, cluster: object = {}): ProfileRow {
  const accessProviders = [
    { name: 'google', cluster: { server: `https://${namespace}.example.com`, ...cluster } },
  ];
  const object = profileObject({ metadata: { namespace, uid: namespace }, status: { accessProviders } });
  const read = readProfile(object, 'fleet');
  const resolution = read.ok ? new Resolutions().of(read.profile, config) : null;
  if (!read.ok || resolution === null) {
    throw new Error('it is no profile');
  }
  return { profile: read.profile, resolution, chosen: null, state: 'available' };
}

const clusterOf = ({ profile, resolution }: ProfileRow, contextName: string) =>
  profileCluster({ ...profile, contextName }, resolution as ResolvedProfile);

/** `clusters`: those that there are. `approved`: by their names. */
function setUp({
  clusters = [],
  approved = [],
  there = [],
}: {
  clusters?: LoadedCluster[];
  approved?: LoadedCluster[];
  there?: ProfileRow[];
} = {}) {
  const state = { chosen: [] as readonly ChosenProfile[], approvals: [] as unknown[] };
  const deps: UseProfilesDeps = {
    config: {
      current: () => ({ ...config, clusters: new Map(clusters.map((each) => [each.name, each])) }),
    },
    bindings: {
      approvalOf: ({ name }) => {
        const found = approved.find((each) => each.name === name);
        return found ? { shape: clusterShape(found), form: undefined } : null;
      },
      changesTo: () => [{ what: 'cluster', name: 'prod' } as PendingChange],
      approve: async (shown) => void state.approvals.push(shown),
      forget: async () => undefined,
    },
    vault: { read: () => ({}) as never },
    recorder: { record: () => undefined } as never,
    used: {
      current: () => state.chosen,
      onChange: () => ({ dispose: () => undefined }),
      update: async (next) => {
        state.chosen = next(state.chosen);
      },
    },
    inventories: {
      profile: ({ namespace }) =>
        there.find(({ profile }) => profile.namespace === namespace)?.profile ?? null,
    },
    writeContexts: async () => [],
  };
  return { deps, state };
}

test('a name that another profile got while the user was asked is not approved for this one', async () => {
  const { deps, state } = setUp();
  const prepared = prepareUse([rowOf('team')], deps);
  expect(prepared.clusters.map(({ name }) => name)).toEqual(['prod']);
  state.chosen = withChosen([], [rowOf('evil').profile], naming);
  await expect(useProfiles(prepared, deps, { confirms: true })).rejects.toMatchObject({
    code: 'inventory.changed',
  });
  expect(state.approvals).toEqual([]);
  expect(state.chosen).toHaveLength(1);
});

describe('a profile with the server of another, and another way to it', () => {
  const team = rowOf('team');
  const evil = rowOf('evil', { server: 'https://team.example.com', 'insecure-skip-tls-verify': true });
  const refused = expect.objectContaining({ code: 'profile.knownServer' });

  test('is refused where that one is approved', () => {
    const first = clusterOf(team, 'first');
    const { deps } = setUp({ clusters: [first], approved: [first] });
    expect(() => prepareUse([evil], deps)).toThrow(refused);
  });

  test('can be used where that one is approved with another server, and moves', () => {
    const elsewhere = clusterOf(rowOf('evil'), 'first');
    const { deps, state } = setUp({ clusters: [clusterOf(evil, 'first')], approved: [elsewhere] });
    state.chosen = [{ ...evil.profile, contextName: 'first', chosen: 'user' }];
    expect(prepareUse([team], deps).clusters).toHaveLength(1);
  });

  test('is refused where the user chose that one', () => {
    const { deps, state } = setUp({ clusters: [clusterOf(team, 'prod')] });
    state.chosen = withChosen([], [team.profile], naming);
    expect(() => prepareUse([evil], deps)).toThrow(refused);
  });

  test('can be used where select chose that one, and the user didn’t approve it', () => {
    const { deps } = setUp({ clusters: [clusterOf(evil, 'first')] });
    expect(prepareUse([team], deps).clusters).toHaveLength(1);
  });

  test('is not approved together with it', () => {
    expect(() => prepareUse([evil, team], setUp().deps)).toThrow(refused);
  });
});

test('an inventory’s contexts are those that there are: profiles that are gone count for nothing', () => {
  const [a, b, c] = [rowOf('a'), rowOf('b'), rowOf('c')];
  const all = setUp({ there: [a, b, c] });
  all.state.chosen = withChosen([], [a.profile, b.profile], naming);
  expect(() => prepareUse([c], all.deps)).toThrow(expect.objectContaining({ code: 'inventory.tooMany' }));
  const gone = setUp({ there: [a, c] });
  gone.state.chosen = all.state.chosen;
  expect(prepareUse([c], gone.deps).clusters).toHaveLength(1);
});

test('what select chose leaves its place to what the user chooses, unless it is approved', () => {
  const [a, b, c] = [rowOf('a'), rowOf('b'), rowOf('c')];
  const selected = withChosen([], [a.profile, b.profile], naming).map(
    (each): ChosenProfile => ({ ...each, chosen: 'selector' }),
  );
  const pending = setUp({ there: [a, b, c] });
  pending.state.chosen = selected;
  expect(prepareUse([c], pending.deps).clusters).toHaveLength(1);
  const clusters = [a, b].map((row, at) => clusterOf(row, selected[at]?.contextName ?? ''));
  const approved = setUp({ there: [a, b, c], approved: clusters });
  approved.state.chosen = selected;
  expect(() => prepareUse([c], approved.deps)).toThrow(
    expect.objectContaining({ code: 'inventory.tooMany' }),
  );
});

test('two uses at once make no more contexts than an inventory may have', async () => {
  const named = (name: string): ProfileRow => {
    const row = rowOf(name);
    return { ...row, profile: { ...row.profile, name } };
  };
  const [a, b, c] = [named('a'), named('b'), named('c')];
  const { deps, state } = setUp({ there: [a, b, c] });
  const prepared = [prepareUse([a, b], deps), prepareUse([c], deps)];
  const uses = await Promise.allSettled(prepared.map((each) => useProfiles(each, deps, { confirms: false })));
  expect(uses).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'inventory.tooMany' } }]);
  expect(state.chosen).toHaveLength(2);
});
