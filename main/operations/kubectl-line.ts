import { BrokerError } from '../contract/broker-error.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { shellWord } from '../domain/text/shell-line.ts';
import type { ContextReader } from '../kubeconfig/contexts.ts';
import { contextsCommand } from './cluster-context.ts';
import { contextOfCluster } from './context-of-cluster.ts';

export interface KubectlLineDeps {
  /** The kubeconfigs that may have contexts of Lanyard's: the user's own first, then the managed one. */
  kubeconfigs: { files(): readonly string[]; read: ContextReader };
}

/**
 * A line that runs kubectl against this cluster with Lanyard's credential, in any shell and whatever KUBECONFIG says:
 * it names the file, too. Throws BrokerError where no kubeconfig has such a context.
 */
export async function kubectlLine(
  cluster: Pick<LoadedCluster, 'name' | 'config'>,
  { kubeconfigs }: KubectlLineDeps,
): Promise<string> {
  for (const file of kubeconfigs.files()) {
    const context = contextOfCluster(await kubeconfigs.read([file]), cluster);
    if (context) {
      return `kubectl --kubeconfig ${shellWord(file)} --context ${shellWord(context.name)} get pods`;
    }
  }
  throw new BrokerError('kubeconfig.noContext', `no kubeconfig has a context for ${cluster.name}`, {
    reason: 'notFound',
    hint: `add one where kubectl finds it: ${contextsCommand}`,
  });
}
