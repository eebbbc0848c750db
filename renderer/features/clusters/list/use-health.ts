import { useMemo } from 'react';
import { type Health, healthOf } from '../../../../main/contract/ui/health.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { useOfNow } from '../../../ui/time/index.ts';
import type { ClusterWithHealth } from './list-rows.ts';

const letters: Readonly<Record<Health, string>> = {
  good: 'g',
  soon: 's',
  need: 'n',
  bad: 'b',
  locked: 'l',
  idle: 'i',
};
const health = new Map(Object.entries(letters).map(([how, letter]) => [letter, how as Health]));

/** Works it out once for each time: React asks twice for each drawing. */
function atOnce(compute: (at: number) => string): (at: number) => string {
  let last = { at: Number.NaN, text: '' };
  return (at) => {
    if (last.at !== at) {
      last = { at, text: compute(at) };
    }
    return last.text;
  };
}

/** The health of each cluster. Returns a new value only when one of them changes. */
export function useHealth(table: Readonly<Record<string, ClusterView>>): ClusterWithHealth[] {
  const clusters = useMemo(() => Object.values(table), [table]);
  const lettersAt = useMemo(
    () => atOnce((at) => clusters.map((each) => letters[healthOf(each, at)]).join('')),
    [clusters],
  );
  const now = useOfNow(lettersAt);
  return useMemo(
    () => clusters.map((cluster, index) => ({ cluster, health: health.get(now[index] ?? '') ?? 'idle' })),
    [clusters, now],
  );
}
