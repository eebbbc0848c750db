import type { EntryKind } from '../../../main/contract/ui/calls/entries.ts';

/** The view that shows the entries of each kind. */
export const viewOf = {
  cluster: 'clusters',
  registry: 'registries',
  inventory: 'inventories',
} as const satisfies Record<EntryKind, string>;
