import { createEntryCalls } from '../../doors/ui/calls/entry-calls.ts';
import { createConfigEntries } from '../../operations/config-entries.ts';
import type { Areas } from '../areas.ts';

export function entryCalls(areas: Areas) {
  const { config, vault, clock } = areas.deps;
  const { bindings } = areas.served;
  const deps = { config, bindings, clock, vault, recorder: areas.records.recorder };
  return createEntryCalls({
    entries: {
      cluster: createConfigEntries('cluster', deps),
      registry: createConfigEntries('registry', deps),
      inventory: createConfigEntries('inventory', deps),
    },
    config,
    bindings,
    vault,
  });
}
