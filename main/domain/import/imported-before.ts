import type { ImportPlan } from './import-plan.ts';

/** What became of a kubeconfig's entries: pairs of the name there and the name in config.yaml. */
export interface ImportedNames {
  users: readonly (readonly [user: string, account: string])[];
  contexts: readonly (readonly [context: string, cluster: string])[];
}

/** By file, absolute. */
export type ImportedFiles = Readonly<Record<string, ImportedNames>>;

/**
 * What became of the user's kubeconfigs at earlier imports. Names alone aren't enough: each k3s calls its user and
 * its context `default`, and the one of another file is another cluster.
 */
export interface ImportedBefore {
  account(file: string, user: string): string | null;
  cluster(file: string, context: string): string | null;
  /** The contexts that became this cluster. */
  contextsOf(cluster: string): readonly { file: string; context: string }[];
}

export function importedBefore(files: ImportedFiles): ImportedBefore {
  const accounts = new Map<string, string>();
  const clusters = new Map<string, string>();
  const contextsOf = new Map<string, { file: string; context: string }[]>();
  for (const [file, { users, contexts }] of Object.entries(files)) {
    for (const [user, account] of users) {
      accounts.set(key(file, user), account);
    }
    for (const [context, cluster] of contexts) {
      clusters.set(key(file, context), cluster);
      contextsOf.set(cluster, [...(contextsOf.get(cluster) ?? []), { file, context }]);
    }
  }
  return {
    account: (file, user) => accounts.get(key(file, user)) ?? null,
    cluster: (file, context) => clusters.get(key(file, context)) ?? null,
    contextsOf: (cluster) => contextsOf.get(cluster) ?? [],
  };
}

/** `files` with the results of a plan that was carried out; the other entries stay. */
export function withImported(
  files: ImportedFiles,
  { users, clusters }: Pick<ImportPlan, 'users' | 'clusters'>,
): ImportedFiles {
  const next: Record<string, { users: Map<string, string>; contexts: Map<string, string> }> = {};
  const of = (file: string) => {
    const known = next[file] ?? {
      users: new Map(Object.hasOwn(files, file) ? files[file]?.users : []),
      contexts: new Map(Object.hasOwn(files, file) ? files[file]?.contexts : []),
    };
    next[file] = known;
    return known;
  };
  for (const { user, file, becomes } of users) {
    if ('account' in becomes) {
      of(file).users.set(user, becomes.account);
    }
  }
  for (const { context, file, becomes } of clusters) {
    if ('cluster' in becomes) {
      of(file).contexts.set(context, becomes.cluster);
    }
  }
  const made = Object.entries(next).map(
    ([file, names]) => [file, { users: [...names.users], contexts: [...names.contexts] }] as const,
  );
  return { ...files, ...Object.fromEntries(made) };
}

function key(file: string, name: string): string {
  return `${file}\n${name}`;
}
