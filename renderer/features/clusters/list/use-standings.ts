import { useMemo } from 'react';
import { type Standing, standing } from '../../../../main/contract/ui/standing.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { useOfNow } from '../../../ui/time/index.ts';
import type { StandingCluster } from './list-rows.ts';

const letters: Readonly<Record<Standing, string>> = {
  good: 'g',
  soon: 's',
  need: 'n',
  bad: 'b',
  locked: 'l',
  idle: 'i',
};
const standings = new Map(Object.entries(letters).map(([how, letter]) => [letter, how as Standing]));

/** How each cluster stands now: another value only when one of them stands otherwise, however often it is looked at. */
export function useStandings(table: Readonly<Record<string, ClusterView>>): StandingCluster[] {
  const clusters = useMemo(() => Object.values(table), [table]);
  const now = useOfNow((at) => clusters.map((cluster) => letters[standing(cluster, at)]).join(''));
  return useMemo(
    () =>
      clusters.map((cluster, index) => ({ cluster, standing: standings.get(now[index] ?? '') ?? 'idle' })),
    [clusters, now],
  );
}
