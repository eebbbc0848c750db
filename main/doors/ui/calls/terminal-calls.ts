import { openTerminalWindow } from '../../../consent/windows/kinds/open-terminal.ts';
import type { Windows } from '../../../consent/windows/windows.ts';
import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import type { LoadedCluster } from '../../../domain/loaded-config.ts';
import type { ContextsWatch } from '../../../kubeconfig/watch/contexts-watch.ts';
import { contextOfCluster } from '../../../operations/context-of-cluster.ts';
import type { Directory } from '../../../ports/broker-core.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';
import type { TerminalWindows } from '../../../ports/terminal-windows.ts';
import type { UiHandlers } from '../handlers.ts';

export interface TerminalCallsDeps {
  config: Pick<ConfigStore, 'current'>;
  directory: Pick<Directory, 'cluster'>;
  contextsWatch: Pick<ContextsWatch, 'current'>;
  terminals: TerminalWindows;
  windows: Pick<Windows, 'open'>;
  /** Writes a kubeconfig that has this cluster alone, as the current context. Returns its absolute path. */
  writeKubeconfig(cluster: LoadedCluster, namespace: string | null): Promise<string>;
}

/** Opens the system's terminal, whose kubectl goes to one cluster. */
export function createTerminalCalls(deps: TerminalCallsDeps): Pick<UiHandlers, 'cluster.openTerminal'> {
  const { config, directory, contextsWatch, terminals, windows } = deps;
  const namespaceOf = (cluster: LoadedCluster) =>
    contextOfCluster(contextsWatch.current(), cluster)?.namespace ?? null;
  return {
    'cluster.openTerminal': async ({ cluster: name }) => {
      const found = directory.cluster(name);
      if (!found.ok) {
        throw refusalError(found);
      }
      if (!terminals.available()) {
        throw new BrokerError('terminal.noDisplay', 'no terminal can be opened here: there is no display', {
          reason: 'usage',
          hint: 'copy the kubectl line instead',
        });
      }
      const namespace = namespaceOf(found.cluster);
      const kind = openTerminalWindow(
        {
          cluster(wanted) {
            const now = directory.cluster(wanted);
            return now.ok ? now.cluster : undefined;
          },
          program: () => config.current().settings.terminal.command,
          open: async (cluster, heading, program) =>
            terminals.open({ heading, kubeconfig: await deps.writeKubeconfig(cluster, namespace) }, program),
        },
        found.cluster,
        namespace,
      );
      await windows.open(kind, null);
      return {};
    },
  };
}
