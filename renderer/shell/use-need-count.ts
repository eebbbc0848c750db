import { healthOf } from '../../main/contract/ui/health.ts';
import { needsAttention } from '../../main/contract/ui/inventory-attention.ts';
import type { UiState } from '../../main/contract/ui/state.ts';
import { useBroker } from '../stores/use-broker.tsx';
import { useOfNow } from '../ui/time/index.ts';

export const countedViews = ['clusters', 'registries', 'inventories'] as const;
export type CountedView = (typeof countedViews)[number];

/** How many clusters, registries or inventories need the user. */
export function useNeedCount(of: CountedView): number {
  const all = useBroker((state): UiState[CountedView] => state.sections[of]);
  return useOfNow(
    (now) =>
      Object.values(all).filter((each) =>
        'troubleSince' in each ? needsAttention(each, now) : ['need', 'bad'].includes(healthOf(each, now)),
      ).length,
    60_000,
  );
}
