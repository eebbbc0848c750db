import type { KubeUserKind } from './import-plan.ts';

/** Users of one kubeconfig that nobody has imported or dismissed yet. Names only. */
export interface ImportOffer {
  file: string;
  /** An import takes users of their kind. */
  importable: readonly string[];
}

const isOffered: Readonly<Record<KubeUserKind, boolean>> = {
  staticToken: true,
  tokenFile: true,
  clientCertificate: true,
  authProviderOidc: true,
  kubelogin: true,
  execPlugin: true,
  // Nothing that an import could take, or take the place of.
  authProvider: false,
  basicAuth: false,
  lanyard: false,
  anonymous: false,
  invalid: false,
};

/**
 * What to offer of a file. A user counts as new when its name was not there at the import, and also when another
 * program has made another kind of user of it since. One that no context of the person's names is left out, as an
 * import leaves it out.
 */
export function importOffer(
  file: string,
  users: ReadonlyMap<string, KubeUserKind>,
  known: {
    /** By user, its kind when it was imported. */
    seen: ReadonlyMap<string, string>;
    dismissed: ReadonlySet<string>;
    inContexts: ReadonlySet<string>;
  },
): ImportOffer | null {
  const importable = [...users].flatMap(([name, kind]) => {
    const isNew = known.seen.get(name) !== kind;
    return isOffered[kind] && isNew && !known.dismissed.has(name) && known.inContexts.has(name) ? [name] : [];
  });
  return importable.length > 0 ? { file, importable } : null;
}
