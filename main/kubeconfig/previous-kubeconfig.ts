import { parse } from 'yaml';
import { z } from 'zod';
import { withoutOwnEntries } from './without-own.ts';

const named = z.looseObject({ name: z.string() });
const list = z
  .array(named)
  .nullish()
  .transform((value) => value ?? []);

const schema = z.looseObject({
  clusters: list,
  users: list,
  contexts: list,
  'current-context': z.string().nullish(),
  preferences: z.looseObject({}).nullish(),
});

export type NamedEntry = z.infer<typeof named>;

/** What is worth keeping of the managed file as it was. */
export interface PreviousKubeconfig {
  /** Null where it says none. */
  currentContext: string | null;
  hasContexts: boolean;
  preferences: Record<string, unknown>;
  /** By context: what `kubectl config set-context --namespace` wrote. */
  namespaces: ReadonlyMap<string, string>;
  /** What other programs wrote into it; the user may have no other copy. */
  foreign: { clusters: NamedEntry[]; users: NamedEntry[]; contexts: NamedEntry[] };
}

export const userPrefix = 'lanyard:';
export const execExtension = 'client.authentication.k8s.io/exec';

const ownCluster = z.looseObject({
  cluster: z.looseObject({
    extensions: z.array(z.looseObject({ name: z.string(), extension: z.unknown() })),
  }),
});
const contextBody = z.looseObject({
  context: z.looseObject({ user: z.string().nullish(), namespace: z.string().nullish() }),
});

/** Reads a managed kubeconfig; null where it isn't one that can be read. */
export function readPreviousKubeconfig(text: string): PreviousKubeconfig | null {
  const rest = withoutOwnEntries(text);
  const shorter = schema.safeParse(parseYaml(rest));
  // An anchor that others use may be missing from the shorter text.
  const parsed = shorter.success ? shorter : schema.safeParse(parseYaml(text));
  if (!parsed.success) {
    return null;
  }
  const { clusters, users, contexts, preferences } = parsed.data;
  const namespaces = new Map<string, string>();
  const foreignContexts: NamedEntry[] = [];
  for (const entry of contexts) {
    const context = contextBody.safeParse(entry).data?.context;
    if (!context?.user?.startsWith(userPrefix)) {
      foreignContexts.push(entry);
    } else if (context.namespace) {
      namespaces.set(entry.name, context.namespace);
    }
  }
  return {
    currentContext: parsed.data['current-context'] || null,
    hasContexts: contexts.length > 0 || rest !== text,
    preferences: preferences ?? {},
    namespaces,
    foreign: {
      clusters: clusters.filter((entry) => !isOwnCluster(entry)),
      users: users.filter((entry) => !entry.name.startsWith(userPrefix)),
      contexts: foreignContexts,
    },
  };
}

function isOwnCluster(entry: NamedEntry): boolean {
  const extensions = ownCluster.safeParse(entry).data?.cluster.extensions ?? [];
  return extensions.some(
    ({ name, extension }) =>
      name === execExtension && typeof extension === 'object' && extension !== null && 'lanyard' in extension,
  );
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100, logLevel: 'error' }) ?? {};
  } catch {
    return undefined;
  }
}
