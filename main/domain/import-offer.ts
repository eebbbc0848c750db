import type { KubeUserKind } from './import-plan.ts';

/** Users of one kubeconfig that nobody has imported or dismissed yet. Names only. */
export interface ImportOffer {
  file: string;
  /** An import takes them. */
  importable: readonly string[];
  /** They run a plugin of their own, which an import leaves as it is for now. */
  plugins: readonly string[];
}

const isOffered: Record<KubeUserKind, keyof Omit<ImportOffer, 'file'> | null> = {
  staticToken: 'importable',
  tokenFile: 'importable',
  clientCertificate: 'importable',
  authProviderOidc: 'importable',
  kubelogin: 'importable',
  execPlugin: 'plugins',
  // Nothing that an import could take, or take the place of.
  authProvider: null,
  basicAuth: null,
  lanyard: null,
  anonymous: null,
  invalid: null,
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
  const offer = { file, importable: [] as string[], plugins: [] as string[] };
  for (const [name, kind] of users) {
    const place = isOffered[kind];
    const isNew = known.seen.get(name) !== kind;
    if (place !== null && isNew && !known.dismissed.has(name) && known.inContexts.has(name)) {
      offer[place].push(name);
    }
  }
  return offer.importable.length + offer.plugins.length > 0 ? offer : null;
}
