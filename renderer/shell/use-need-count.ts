import { healthOf } from '../../main/contract/ui/health.ts';
import type { UiState } from '../../main/contract/ui/state.ts';
import { useBroker } from '../stores/use-broker.tsx';
import { useOfNow } from '../ui/time/index.ts';

/** How many clusters, or registries, need the user. */
export function useNeedCount(of: 'clusters' | 'registries'): number {
  const all = useBroker((state): UiState['clusters'] | UiState['registries'] => state.sections[of]);
  return useOfNow(
    (now) => Object.values(all).filter((each) => ['need', 'bad'].includes(healthOf(each, now))).length,
    60_000,
  );
}
