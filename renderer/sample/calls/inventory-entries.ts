import type { ConfigEntry } from '../../../main/contract/ui/calls/entries.ts';
import type { InventoryView } from '../../../main/contract/ui/state.ts';
import { countsOf } from '../sample-inventories.ts';
import type { SampleEntries } from './sample-entries.ts';

export const sampleInventoryEntries: SampleEntries = {
  read(world, name) {
    const inventory = world.get('inventories', name);
    return inventory && entryOf(inventory);
  },
  check: ({ cluster, files }) =>
    cluster === undefined && files === undefined
      ? [{ field: null, message: 'expected `cluster`, the hub, or `files`', severity: 'error' }]
      : [],
  write(world, name, entry) {
    const before = world.get('inventories', name);
    const next: InventoryView = {
      ...(before ?? fresh),
      name,
      hub: typeof entry['cluster'] === 'string' ? entry['cluster'] : null,
      files: textsOf(entry['files']),
      providers: Array.isArray(entry['providers']) ? (entry['providers'] as InventoryView['providers']) : [],
      select: typeof entry['select'] === 'string' ? entry['select'] : null,
      trusted: entry['trusted'] === true,
    };
    world.set('inventories', name, before ?? { ...next, state: 'held' });
    return () => world.set('inventories', name, next);
  },
  remove(world, name) {
    const before = world.get('inventories', name);
    world.set('inventories', name, null);
    return () => world.set('inventories', name, before);
  },
};

const fresh: Omit<InventoryView, 'name' | 'hub' | 'files' | 'providers' | 'select' | 'trusted'> = {
  state: 'starting',
  lastSyncAt: null,
  trouble: null,
  troubleSince: null,
  retryAt: null,
  ...countsOf([]),
  problems: 0,
  contexts: 200,
  version: 1,
};

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function entryOf({ hub, files, providers, select, trusted }: InventoryView): ConfigEntry {
  return {
    ...(hub !== null && { cluster: hub }),
    ...(files.length > 0 && { files }),
    providers,
    ...(select !== null && { select }),
    ...(trusted && { trusted }),
  };
}
