import type { ConfigEntry } from '../../../main/contract/ui/calls/entries.ts';
import type { ClusterView } from '../../../main/contract/ui/state.ts';
import type { SampleWorld } from '../sample-world.ts';
import type { SampleEntries } from './sample-entries.ts';
import { sampleChain } from './tried-sample.ts';

const fresh = {
  context: null,
  displayName: null,
  aliases: [] as string[],
  labels: {},
  mark: null,
  nameMark: null,
  origin: null,
  state: 'ready',
  isPending: false,
  problem: null,
  credential: null,
  byHand: false,
  lastCall: null,
  laneVersion: 1,
} as const;

export const sampleClusters: SampleEntries = {
  read(world, name) {
    const cluster = world.get('clusters', name);
    return cluster && (writtenIn(world).get(name) ?? entryOf(cluster));
  },
  check: ({ server }) =>
    typeof server === 'string' && /^https:\/\/./.test(server)
      ? []
      : [{ field: 'server', message: 'expected an https address', severity: 'error' }],
  write(world, name, entry) {
    const before = world.get('clusters', name);
    const account = String(entry['account'] ?? '');
    const next: ClusterView = {
      ...(before ?? fresh),
      name,
      kind: world.get('accounts', account)?.kind ?? null,
      account,
      server: String(entry['server'] ?? ''),
      approval: String(entry['approval'] ?? 'never'),
      isInsecure: entry['insecureSkipTlsVerify'] === true,
      isProxied: entry['proxy'] !== undefined,
      audience: typeof entry['audience'] === 'string' ? entry['audience'] : null,
    };
    writtenIn(world).set(name, entry);
    world.set(
      'clusters',
      name,
      before ?? {
        ...next,
        state: 'held',
        context: null,
        isPending: true,
        problem: 'It is pending approval.',
      },
    );
    return () => world.set('clusters', name, next);
  },
  remove(world, name) {
    const before = world.get('clusters', name);
    world.set('clusters', name, null);
    return () => world.set('clusters', name, before);
  },
};

function writtenIn(world: SampleWorld): Map<string, ConfigEntry> {
  return world.memory('entries', () => new Map());
}

function entryOf({
  name,
  server,
  account,
  audience,
  approval,
  isInsecure,
  isProxied,
}: ClusterView): ConfigEntry {
  return {
    server,
    account,
    ...(audience !== null && { audience }),
    ...(approval !== 'never' && { approval }),
    ...(isInsecure && { insecureSkipTlsVerify: true }),
    ...(isProxied && { proxy: { chain: sampleChain(name).map(({ entry }) => entry) } }),
  };
}
