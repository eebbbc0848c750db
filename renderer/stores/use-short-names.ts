import { useMemo } from 'react';
import { type NamedThing, type ShortName, shortNames } from '../../main/contract/ui/short-name.ts';
import { useBroker } from './use-broker.tsx';

/** How the clusters are called in lists. The same map until one is added, removed or called something else. */
export function useClusterNames(): ReadonlyMap<string, ShortName> {
  return useNames(useBroker(({ sections }) => keyOf(Object.values(sections.clusters))));
}

/** How the accounts are called in lists. */
export function useAccountNames(): ReadonlyMap<string, ShortName> {
  return useNames(useBroker(({ sections }) => keyOf(Object.values(sections.accounts))));
}

/** A state comes with each call, and names change seldom. No name has a line break or a tab. */
function keyOf(things: readonly NamedThing[]): string {
  return things.map(({ name, displayName }) => `${name}\t${displayName ?? ''}`).join('\n');
}

function useNames(key: string): ReadonlyMap<string, ShortName> {
  return useMemo(
    () =>
      shortNames(
        key
          .split('\n')
          .filter(Boolean)
          .map((line) => {
            const [name = '', displayName = ''] = line.split('\t');
            return { name, displayName: displayName || null };
          }),
      ),
    [key],
  );
}
