import { createInventoryCalls } from '../../doors/ui/calls/inventory-calls.ts';
import { fewAtATime } from '../../doors/ui/few-at-a-time.ts';
import { createWorkBudget } from '../../doors/ui/work-budget.ts';
import type { Areas } from '../areas.ts';

/** Milliseconds of the thread. A search among 10,000 profiles takes some ten. */
const listWork = { atOnce: 2_000, share: 0.25 };

export function inventoryCalls({ deps, served, records, locking, kubeconfigs, profiles }: Areas) {
  return fewAtATime(
    1,
    createInventoryCalls({
      ...deps.inventories,
      config: deps.config,
      bindings: served.bindings,
      vault: deps.vault,
      recorder: records.recorder,
      clock: deps.clock,
      gate: locking.gate,
      writeContexts: () => kubeconfigs.managedContexts.write(),
      profiles,
    }),
    ['inventory.profiles', 'inventory.matching', 'inventory.profile'],
    createWorkBudget(listWork, deps.clock),
  );
}
