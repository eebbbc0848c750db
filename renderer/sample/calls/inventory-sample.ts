import type { ProfileNameView, ProfileRowView } from '../../../main/contract/ui/calls/inventories.ts';
import { profilesPage, selectedProfiles } from '../../../main/contract/ui/profile-query.ts';
import { type SampleCall, SampleRefusal, type SomeHandlers } from '../sample-calls.ts';
import { countsOf, manyProfiles, sampleProfiles } from '../sample-inventories.ts';
import { hold, letGo } from '../sample-pending.ts';

type World = SampleCall<'inventory.profiles'>['world'];

/** As many as the section of `fleet` says: ten thousand in the state `many`. */
function profilesOf(world: World): { rows: ProfileRowView[] } {
  return world.memory('profiles', () => {
    const total = world.get('inventories', 'fleet')?.profiles.total ?? 0;
    return { rows: total > 1000 ? manyProfiles(total) : total === 0 ? [] : sampleProfiles() };
  });
}

export const inventorySample = {
  'inventory.profiles': (wanted, { world }) => profilesPage(profilesOf(world).rows, wanted),
  'inventory.matching': (query, { world }) => selectedProfiles(profilesOf(world).rows, query, 1_000),
  'inventory.profile': ({ profile }, { world }) => {
    const row = rowOf(world, profile);
    return {
      row,
      uid: `5c1e9f0a-${row.name.length}`,
      contextName: row.context ?? row.name,
      memberId: row.name === 'warehouse' ? 'c-7f31' : null,
      alsoListed:
        row.name === 'warehouse'
          ? { count: 1, profiles: [{ inventory: 'fleet', namespace: 'fleet-staging', name: 'staging-3' }] }
          : { count: 0, profiles: [] },
      labels: [
        ['env', row.clusterset ?? 'none'],
        ['tier', 'critical'],
      ],
      conditions: [
        {
          type: 'ControlPlaneHealthy',
          status: row.health === 'good' ? 'True' : row.health === 'bad' ? 'False' : 'Unknown',
          reason: row.health === 'bad' ? 'EtcdUnhealthy' : 'Healthy',
          message: row.health === 'bad' ? 'one of three members of etcd doesn’t answer' : '',
        },
        { type: 'Joined', status: 'True', reason: 'Joined', message: '' },
      ],
      why:
        row.provider === null
          ? null
          : `${row.provider} is the first provider of fleet that the profile lists`,
      facts:
        row.account === null || row.server === null
          ? []
          : [
              ['Account', row.account],
              ['Server', row.server],
              [
                'CA',
                'SHA-256 4B:12:9A:77:20:51:0C:DD:8E:31:F0:64:AB:19:53:7C:91:EE:02:48:6D:BA:5F:13:C7:88:2A:90:3E:61:D4:05, CN=clusters.example, expires 2031-04-02',
              ],
            ],
      warnings: row.isExpectedServer ? [] : ['Server: not among the servers of the inventory'],
      ignored:
        row.ignored === 0
          ? []
          : ['additional arguments: the policy ignores them', 'AWS_PROFILE: it is not in allowedEnvVars'],
      problems: [],
      held:
        row.state === 'pending'
          ? {
              served: true,
              lines: [
                '- server: https://search.clusters.example:6443',
                '+ server: https://search.new-place.example:6443',
              ],
            }
          : null,
    };
  },
  'inventory.problems': ({ inventory }) => ({
    problems:
      inventory === 'partners'
        ? [
            { namespace: 'broken', name: 'half', text: 'its spec is no mapping' },
            { namespace: 'broken', name: 'huge', text: 'it is larger than 1 MiB' },
            { namespace: null, name: null, text: 'an object without a name' },
          ]
        : [],
  }),
  'inventory.sync': async ({ inventory }, { world, wait }) => {
    await wait(600);
    const view = world.get('inventories', inventory);
    if (!view) {
      throw new SampleRefusal(`there is no inventory named ${inventory}`);
    }
    if (view.trouble === null) {
      world.patch('inventories', inventory, { lastSyncAt: world.time.now() });
    }
    return { fault: view.trouble?.text ?? null, profiles: view.profiles.total };
  },
  'inventory.use': ({ profiles }, { world }) => {
    const rows = profiles.map((profile) => rowOf(world, profile));
    const unusable = rows.find(({ state }) => state === 'unusable');
    if (unusable) {
      throw new SampleRefusal(
        `${unusable.inventory}:${unusable.namespace}/${unusable.name} ${unusable.problem}`,
      );
    }
    change(world, rows, (row) => ({ ...row, state: 'pending', context: row.context ?? row.name }));
    for (const row of rows) {
      const name = row.context ?? row.name;
      hold(world, { what: 'cluster', name, change: 'it is new' }, [`+ server: ${row.server}`], () =>
        change(world, [rowOf(world, row)], (each) => ({ ...each, state: 'inUse' })),
      );
    }
    return { contexts: rows.map(({ name, context }) => context ?? name), held: rows.length, warnings: [] };
  },
  'inventory.drop': ({ profiles }, { world }) => {
    const rows = profiles.map((profile) => rowOf(world, profile)).filter(({ context }) => context !== null);
    change(world, rows, (row) => ({ ...row, state: 'available', context: null }));
    for (const { context } of rows) {
      letGo(world, { what: 'cluster', name: context ?? '' });
    }
    return { contexts: rows.flatMap(({ context }) => (context === null ? [] : [context])), warnings: [] };
  },
} satisfies SomeHandlers;

function rowOf(world: World, { inventory, namespace, name }: ProfileNameView): ProfileRowView {
  const found = profilesOf(world).rows.find(
    (row) => row.inventory === inventory && row.namespace === namespace && row.name === name,
  );
  if (!found) {
    throw new SampleRefusal('the profile is no longer there');
  }
  return found;
}

function change(
  world: World,
  changed: readonly ProfileRowView[],
  to: (row: ProfileRowView) => ProfileRowView,
): void {
  const profiles = profilesOf(world);
  profiles.rows = profiles.rows.map((row) => (changed.includes(row) ? to(row) : row));
  world.patch('inventories', 'fleet', {
    ...countsOf(profiles.rows),
    version: (world.get('inventories', 'fleet')?.version ?? 0) + 1,
  });
}
