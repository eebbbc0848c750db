import type { KubectlContextsDeps } from '../../doors/cli/kubeconfig/kubectl-contexts.ts';
import type { Areas } from '../areas.ts';

/** What commands need that ask or say where kubectl finds clusters. */
export function kubectlContexts({ deps, credentials, locking, kubeconfigs }: Areas): KubectlContextsDeps {
  const { userContexts, contexts, pathsOf, knownFiles } = kubeconfigs;
  return {
    userContexts,
    contexts,
    pathsOf,
    knownFiles,
    managed: deps.paths.kubeconfig,
    directory: credentials.directory,
    gate: locking.gate,
  };
}
