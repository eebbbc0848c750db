import type { KubeUserKind } from './import-plan.ts';

/** Users of one kubeconfig that the user has neither imported nor dismissed yet. Names only. */
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
  placeholder: false,
  anonymous: false,
  invalid: false,
};

/**
 * What to offer of a file. A user is new when its name was not there at the import, and also when another program has
 * replaced it with a user of another kind since. A user without a context is left out, as in an import.
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
