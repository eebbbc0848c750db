import type { ClusterEntry } from '../../../main/contract/ui/calls/cluster-editing.ts';
import type { ClusterView } from '../../../main/contract/ui/state.ts';
import { SampleRefusal, type SomeHandlers } from '../sample-calls.ts';
import { hold, letGo, pendingLines } from '../sample-pending.ts';
import type { SampleWorld } from '../sample-world.ts';
import { clusterOf } from './history-sample.ts';

const file = '/home/dev/.config/lanyard/config.yaml';

export const clusterEditingSample = {
  'cluster.config': ({ cluster }, { world }) => {
    const lines = pendingLines(world, { what: 'cluster', name: cluster });
    const held = world.get('held', `cluster ${cluster}`);
    return {
      entry: entryOf(world, clusterOf(world, cluster)),
      file,
      held: lines && {
        change: held?.change === 'it is new' ? 'new' : 'changed',
        served: held?.served ?? false,
        lines,
      },
    };
  },
  'cluster.check': ({ cluster, isNew, entry }, { world }) => {
    const problem = (field: string | null, message: string) => ({
      field,
      message,
      severity: 'error' as const,
    });
    const { server, account } = entry;
    return {
      problems: [
        ...(isNew && world.get('clusters', cluster)
          ? [problem(null, `there is a cluster ${cluster} already`)]
          : []),
        ...(typeof server === 'string' && /^https:\/\/./.test(server)
          ? []
          : [problem('server', 'expected an https address')]),
        ...(typeof account === 'string' && world.get('accounts', account)
          ? []
          : [problem('account', 'there is no such account')]),
      ],
    };
  },
  'cluster.set': ({ cluster: name, isNew, entry }, { world }) => {
    const before = world.get('clusters', name);
    const account = String(entry['account'] ?? '');
    const kind = world.get('accounts', account)?.kind ?? null;
    const next: ClusterView = {
      ...(before ?? fresh),
      name,
      kind,
      account,
      server: String(entry['server'] ?? ''),
      approval: String(entry['approval'] ?? 'never'),
      audience: typeof entry['audience'] === 'string' ? entry['audience'] : null,
    };
    entriesOf(world).set(name, entry);
    const problem = 'It is pending approval.';
    world.set('clusters', name, before ?? { ...next, state: 'held', problem });
    hold(
      world,
      { what: 'cluster', name, change: isNew ? 'it is new' : 'it changes' },
      Object.entries(entry).map(
        ([key, value]) => `+ ${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ),
      () =>
        world.set('clusters', name, {
          ...next,
          state: before?.state ?? 'ready',
          problem: before?.problem ?? null,
        }),
    );
    return { held: true };
  },
  'cluster.remove': ({ cluster: name }, { world }) => {
    removedIn(world).set(name, clusterOf(world, name));
    letGo(world, { what: 'cluster', name });
    world.set('clusters', name, null);
    return { undo: name };
  },
  'cluster.putBack': ({ undo }, { world }) => {
    const cluster = removedIn(world).get(undo);
    if (!cluster) {
      throw new SampleRefusal('what was removed is not remembered any more');
    }
    world.set('clusters', undo, cluster);
    return { cluster: undo, held: false };
  },
} satisfies SomeHandlers;

const fresh = {
  state: 'ready',
  problem: null,
  credential: null,
  byHand: false,
  lastCall: null,
  laneVersion: 1,
} as const;

function entriesOf(world: SampleWorld): Map<string, ClusterEntry> {
  return world.memory('entries', () => new Map());
}

function removedIn(world: SampleWorld): Map<string, ClusterView> {
  return world.memory('removed clusters', () => new Map());
}

function entryOf(
  world: SampleWorld,
  { name, server, account, audience, approval }: ClusterView,
): ClusterEntry {
  return (
    entriesOf(world).get(name) ?? {
      server,
      account,
      ...(audience !== null && { audience }),
      ...(approval !== 'never' && { approval }),
    }
  );
}
