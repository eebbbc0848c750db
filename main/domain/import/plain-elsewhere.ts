import type { ImportPlan, PlainElsewhere } from './import-plan.ts';
import type { MergedKubeconfig } from './kubeconfig.ts';
import { plainSecretsOf } from './plain-secrets.ts';

/** Clusters and users that no context uses. */
export function unusedOf({ clusters, users, contexts }: MergedKubeconfig): ImportPlan['unused'] {
  const all = [...contexts.values()];
  const usedClusters = new Set(all.map(({ cluster }) => cluster));
  const usedUsers = new Set(all.map(({ user }) => user));
  return {
    clusters: [...clusters.keys()].filter((name) => !usedClusters.has(name)),
    users: [...users.keys()].filter((name) => !usedUsers.has(name)),
  };
}

/** Secrets of users that are not planned: unused ones, hidden ones, and those of contexts that were not requested. */
export function plainElsewhere(merged: MergedKubeconfig, planned: ReadonlySet<string>): PlainElsewhere[] {
  const unused = new Set(unusedOf(merged).users);
  const others = [...merged.users.values()]
    .filter(({ name }) => !planned.has(name))
    .map((user) => ({ user, why: unused.has(user.name) ? ('unused' as const) : ('notChosen' as const) }));
  const hidden = merged.hidden.flatMap((entry) =>
    entry.what === 'user' ? [{ user: entry.user, why: 'hidden' as const }] : [],
  );
  return [...others, ...hidden].flatMap(({ user, why }) => {
    const plain = plainSecretsOf(user);
    const { file, line } = user.origin;
    return plain.length === 0 ? [] : [{ user: user.name, file, line, why, plain }];
  });
}
