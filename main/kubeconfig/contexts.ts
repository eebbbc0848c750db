import { stampsOf } from '../config/watch.ts';
import type { KubeconfigProblem, MergedKubeconfig } from '../domain/import/kubeconfig.ts';
import { lanyardUser } from './rules/lanyard-user.ts';

/** A context of the user's kubeconfigs; nothing secret. */
export interface ContextEntry {
  name: string;
  cluster: string;
  /** Null: the files have no such cluster. */
  server: string | null;
  user: string;
  namespace: string | null;
  file: string;
  /** By whose credential it goes, where its user asks Lanyard. */
  lanyard: { account: string; cluster: string | null } | null;
}

export interface Contexts {
  current: { name: string; file: string } | null;
  /** As client-go merges them, in the files' order. */
  entries: ReadonlyMap<string, ContextEntry>;
  problems: readonly KubeconfigProblem[];
  /** Those that are there, in order. */
  files: readonly string[];
}

/** The contexts of these files, read once per change of the files. */
export type ContextReader = (files: readonly string[]) => Promise<Contexts>;

/** Lists of files that are read in turn: terminals with their own KUBECONFIG. */
const listLimit = 16;

/** Caches what it read as long as the files' stamps are the same; concurrent requests share a reading. */
export function createContextReader(
  read: (files: readonly string[]) => Promise<MergedKubeconfig>,
): ContextReader {
  const known = new Map<string, { stamps: string; contexts: Promise<Contexts> }>();
  return async (files) => {
    const key = files.join('\n');
    const stamps = await stampsOf(files);
    const kept = known.get(key);
    if (kept?.stamps === stamps) {
      return kept.contexts;
    }
    const contexts = read(files).then(contextsOf);
    known.delete(key);
    known.set(key, { stamps, contexts });
    contexts.catch(() => known.delete(key));
    for (const oldest of [...known.keys()].slice(0, -listLimit)) {
      known.delete(oldest);
    }
    return contexts;
  };
}

function contextsOf(merged: MergedKubeconfig): Contexts {
  const entries = new Map<string, ContextEntry>();
  for (const { name, cluster, user, namespace, origin } of merged.contexts.values()) {
    const exec = merged.users.get(user)?.exec ?? null;
    entries.set(name, {
      name,
      cluster,
      server: merged.clusters.get(cluster)?.server ?? null,
      user,
      namespace,
      file: origin.file,
      lanyard: lanyardUser(exec),
    });
  }
  return {
    current: merged.currentContext,
    entries,
    problems: merged.problems,
    files: merged.files.filter(({ text }) => text !== null).map(({ path }) => path),
  };
}
