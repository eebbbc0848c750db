import { healthOf } from '../../main/contract/ui/health.ts';
import { useBroker } from '../stores/use-broker.tsx';
import { useOfNow } from '../ui/time/index.ts';

/** How many clusters need the user. */
export function useNeedCount(): number {
  const clusters = useBroker((state) => state.sections.clusters);
  return useOfNow(
    (now) =>
      Object.values(clusters).filter((cluster) => ['need', 'bad'].includes(healthOf(cluster, now))).length,
    60_000,
  );
}
