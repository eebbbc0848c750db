import { useMemo } from 'react';
import { healthOf } from '../../main/contract/ui/health.ts';
import { needsAttention } from '../../main/contract/ui/inventory-attention.ts';
import { countTodos, needing } from '../../main/contract/ui/needs.ts';
import type { UiState } from '../../main/contract/ui/state.ts';
import { useBroker } from '../stores/use-broker.tsx';
import { useNow } from '../ui/time/index.ts';

export const countedViews = ['clusters', 'registries', 'inventories'] as const;
export type CountedView = (typeof countedViews)[number];

/** How many things there are to do about clusters or registries, or how many inventories need the user. */
export function useNeedCount(of: CountedView): number {
  const all = useBroker((state): UiState[CountedView] => state.sections[of]);
  const now = useNow(60_000);
  return useMemo(() => {
    const each = Object.values(all);
    return (
      each.filter((one) => 'troubleSince' in one && needsAttention(one, now)).length +
      countTodos(
        each.flatMap((one) => ('troubleSince' in one ? [] : [{ of: one, health: healthOf(one, now) }])),
        needing,
      )
    );
  }, [all, now]);
}
