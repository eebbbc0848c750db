import { useMemo } from 'react';
import { type NamedThing, type ShortName, shortNames } from '../../main/contract/ui/short-name.ts';
import { useBroker } from './use-broker.tsx';

/** How the clusters are called in lists. The same map until one is added, removed or called something else. */
export function useClusterNames(): ReadonlyMap<string, ShortName> {
  return useNames(useBroker(({ sections }) => sections.clusters));
}

/** How the accounts are called in lists. */
export function useAccountNames(): ReadonlyMap<string, ShortName> {
  return useNames(useBroker(({ sections }) => sections.accounts));
}

/** A table comes with each call, and names change seldom. No name has a line break or a tab. */
function keyOf(table: Readonly<Record<string, NamedThing>>): string {
  return Object.values(table)
    .map(({ name, displayName }) => `${name}\t${displayName ?? ''}`)
    .join('\n');
}

function useNames(table: Readonly<Record<string, NamedThing>>): ReadonlyMap<string, ShortName> {
  const key = useMemo(() => keyOf(table), [table]);
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
