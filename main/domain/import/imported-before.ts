import type { ImportPlan } from './import-plan.ts';

/** What became of a kubeconfig's entries: pairs of the name there and the name in config.yaml. */
export interface ImportedNames {
  users: readonly (readonly [user: string, account: string])[];
  contexts: readonly (readonly [context: string, cluster: string])[];
  /** Of users whose login is kept apart from others of the same provider and client: a digest of what does that. */
  apart?: readonly (readonly [user: string, digest: string])[];
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
  /** The users that became this account. `apart`: see `ImportedNames`; null: nothing keeps its login apart. */
  usersOf(account: string): readonly { file: string; user: string; apart: string | null }[];
  /** The contexts that became this cluster. */
  contextsOf(cluster: string): readonly { file: string; context: string }[];
}

export function importedBefore(files: ImportedFiles): ImportedBefore {
  const accounts = new Map<string, string>();
  const clusters = new Map<string, string>();
  const contextsOf = new Map<string, { file: string; context: string }[]>();
  const usersOf = new Map<string, { file: string; user: string; apart: string | null }[]>();
  for (const [file, { users, contexts, apart = [] }] of Object.entries(files)) {
    const digests = new Map(apart);
    for (const [user, account] of users) {
      accounts.set(key(file, user), account);
      const all = usersOf.get(account) ?? [];
      usersOf.set(account, all);
      all.push({ file, user, apart: digests.get(user) ?? null });
    }
    for (const [context, cluster] of contexts) {
      clusters.set(key(file, context), cluster);
      contextsOf.set(cluster, [...(contextsOf.get(cluster) ?? []), { file, context }]);
    }
  }
  return {
    account: (file, user) => accounts.get(key(file, user)) ?? null,
    cluster: (file, context) => clusters.get(key(file, context)) ?? null,
    usersOf: (account) => usersOf.get(account) ?? [],
    contextsOf: (cluster) => contextsOf.get(cluster) ?? [],
  };
}

/** `files` with the results of a plan that was carried out; the other entries stay. */
export function withImported(
  files: ImportedFiles,
  { users, clusters }: Pick<ImportPlan, 'users' | 'clusters'>,
): ImportedFiles {
  type Names = Record<'users' | 'contexts' | 'apart', Map<string, string>>;
  const next: Record<string, Names> = {};
  const of = (file: string) => {
    const before = Object.hasOwn(files, file) ? files[file] : undefined;
    const known = next[file] ?? {
      users: new Map(before?.users),
      contexts: new Map(before?.contexts),
      apart: new Map(before?.apart),
    };
    next[file] = known;
    return known;
  };
  for (const { nameInFile, file, becomes } of users) {
    if ('account' in becomes) {
      const { users: accounts, apart } = of(file);
      accounts.set(nameInFile, becomes.account);
      becomes.apart === null ? apart.delete(nameInFile) : apart.set(nameInFile, becomes.apart);
    }
  }
  for (const { nameInFile, file, becomes } of clusters) {
    if ('cluster' in becomes) {
      of(file).contexts.set(nameInFile, becomes.cluster);
    }
  }
  const made = Object.entries(next).map(
    ([file, { users: accounts, contexts, apart }]) =>
      [
        file,
        {
          ...{ users: [...accounts], contexts: [...contexts] },
          ...(apart.size > 0 && { apart: [...apart] }),
        },
      ] as const,
  );
  return { ...files, ...Object.fromEntries(made) };
}

function key(file: string, name: string): string {
  return `${file}\n${name}`;
}
