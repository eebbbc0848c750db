import { cleanName } from './clean-name.ts';
import type { MergedKubeconfig } from './kubeconfig.ts';

/** The names that the user wants for new entries, by the kubeconfig's names. */
export interface ChosenNames {
  /** By user. */
  accounts: ReadonlyMap<string, string>;
  /** By context. */
  clusters: ReadonlyMap<string, string>;
}

export const noChosenNames: ChosenNames = { accounts: new Map(), clusters: new Map() };

/**
 * The names as they can be given: one that another context or user of the kubeconfig has gets a number. Else `kubectl
 * --context prod` could lead to another cluster than the kubeconfig's own `prod`.
 */
export function givableNames(
  { accounts, clusters }: ChosenNames,
  { users, contexts }: Pick<MergedKubeconfig, 'users' | 'contexts'>,
): ChosenNames {
  return {
    accounts: beside(accounts, [...users.keys()], 'account'),
    clusters: beside(clusters, [...contexts.keys()], 'cluster'),
  };
}

/**
 * The name of each group whose members share one entry: that of the first member that has one. `members`: each with its
 * group.
 */
export function chosenByGroup(
  members: Iterable<readonly [member: string, group: string]>,
  chosen: ReadonlyMap<string, string>,
): Map<string, string> {
  const names = new Map<string, string>();
  for (const [member, group] of members) {
    const name = chosen.get(member);
    if (name !== undefined && !names.has(group)) {
      names.set(group, name);
    }
  }
  return names;
}

function beside(
  chosen: ReadonlyMap<string, string>,
  all: readonly string[],
  fallback: string,
): ReadonlyMap<string, string> {
  const others = Map.groupBy(all, (name) => cleanName(name, fallback));
  return new Map(
    [...chosen].map(([of, name]) => [
      of,
      others.get(name)?.some((other) => other !== of) ? `${name}-2` : name,
    ]),
  );
}
