import { stat } from 'node:fs/promises';
import type { ClusterContext } from '../contract/ui/state.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import type { Contexts } from '../kubeconfig/contexts.ts';
import type { UserContexts } from '../kubeconfig/user-contexts/user-contexts.ts';
import { contextOfCluster } from './context-of-cluster.ts';

export interface ClusterContextDeps {
  userContexts: Pick<UserContexts, 'way' | 'fault'>;
  /** The managed kubeconfig. */
  managed: string;
}

/** What one kubectl reads: a terminal’s, or the one of programs without a KUBECONFIG of their own. */
export interface KubectlView {
  /** The kubeconfigs that it reads, in order. */
  files: readonly string[];
  contexts: Pick<Contexts, 'entries'>;
}

export const contextsCommand = 'lanyard kubeconfig contexts';
/** For a POSIX shell; `lanyard env` knows the others. */
export const envLine = 'eval "$(lanyard env)"';

/** Whether plain `kubectl --context` reaches an approved cluster, and if not, why and what mends it: for every surface. */
export function clusterContext(
  cluster: Pick<LoadedCluster, 'name' | 'config'>,
  { files, contexts }: KubectlView,
  { userContexts, managed }: ClusterContextDeps,
): ClusterContext {
  const found = contextOfCluster(contexts, cluster);
  if (found && files.includes(found.file)) {
    return { name: found.name, file: found.file, problem: null, command: null };
  }
  const missing = (problem: string, command = contextsCommand) => ({
    name: null,
    file: null,
    problem,
    command,
  });
  const way = userContexts.way();
  switch (way?.kind) {
    case 'file': {
      const fault = userContexts.fault();
      const file = visibleText(way.file);
      if (fault !== null) {
        return missing(`kubectl has no context for it: ${file} ${fault}`);
      }
      return files.includes(way.file)
        ? missing('kubectl has no context for it yet')
        : missing(`its context is in ${file}, which KUBECONFIG doesn’t name here`);
    }
    case 'own':
      return files.includes(managed)
        ? missing('kubectl has no context for it yet')
        : missing('its context is in Lanyard’s own kubeconfig, which KUBECONFIG doesn’t name', envLine);
    default:
      return missing('kubectl has no context for it');
  }
}

/** How many clusters have no context, and what mends it, one line for each; undefined: all have one. */
export function missingText(contexts: readonly ClusterContext[]): string | undefined {
  const by = Map.groupBy(
    contexts.filter(({ name }) => name === null),
    ({ command }) => command,
  );
  const lines = [...by].map(
    ([command, all]) =>
      `${all.length === 1 ? '1 cluster has' : `${all.length} clusters have`} no context in your kubeconfig: ${command}`,
  );
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** In the row of a cluster without one. */
export const noContextWords = 'no kubectl context';

/** Where kubectl would add a context: the first file that is there, else the first. */
export async function fileForContexts(files: readonly string[], managed: string): Promise<string | null> {
  const own = files.filter((each) => each !== managed);
  for (const file of own) {
    if (await stat(file).catch(() => null)) {
      return file;
    }
  }
  return own[0] ?? null;
}
