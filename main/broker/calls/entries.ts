import { createEntryCalls } from '../../doors/ui/calls/entry-calls.ts';
import { fewAtATime } from '../../doors/ui/few-at-a-time.ts';
import { createWorkBudget } from '../../doors/ui/work-budget.ts';
import { createConfigEntries } from '../../operations/config-entries.ts';
import type { Areas } from '../areas.ts';

/** Milliseconds of the thread. Thousands of entries take most of a second, and each is recorded. */
const manyWork = { atOnce: 4_000, share: 0.25 };

export function entryCalls(areas: Areas) {
  const { config, vault, clock } = areas.deps;
  const { bindings } = areas.served;
  const deps = { config, bindings, clock, vault, recorder: areas.records.recorder };
  return fewAtATime(
    1,
    createEntryCalls({
      entries: {
        cluster: createConfigEntries('cluster', deps),
        registry: createConfigEntries('registry', deps),
        inventory: createConfigEntries('inventory', deps),
      },
      config,
      bindings,
      vault,
    }),
    ['entry.setApproval', 'entry.remove', 'entry.putBack'],
    createWorkBudget(manyWork, clock),
  );
}
