import { unlink } from 'node:fs/promises';
import { openTerminalWindow } from '../../../consent/windows/kinds/open-terminal.ts';
import type { Windows } from '../../../consent/windows/windows.ts';
import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import type { LoadedCluster } from '../../../domain/loaded-config.ts';
import { posixQuoted } from '../../../domain/text/shell-line.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { ContextsWatch } from '../../../kubeconfig/watch/contexts-watch.ts';
import { contextOfCluster } from '../../../operations/context-of-cluster.ts';
import type { Directory } from '../../../ports/broker-core.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';
import type { TerminalProgram, TerminalWindows } from '../../../ports/terminal-windows.ts';
import type { UiHandlers } from '../handlers.ts';
import { openOrElse } from './open-or-else.ts';

export interface TerminalCallsDeps {
  config: Pick<ConfigStore, 'current'>;
  directory: Pick<Directory, 'cluster'>;
  contextsWatch: Pick<ContextsWatch, 'current' | 'look'>;
  terminals: TerminalWindows;
  windows: Pick<Windows, 'open'>;
  /** Writes a kubeconfig that has this cluster alone, as the current context. Returns its absolute path. */
  writeKubeconfig(cluster: LoadedCluster, namespace: string | null): Promise<string>;
}

/** Opens the system's terminal, whose kubectl goes to one cluster (rule: approval-outside-page). */
export function createTerminalCalls(deps: TerminalCallsDeps): Pick<UiHandlers, 'cluster.openTerminal'> {
  const { config, directory, contextsWatch, terminals, windows } = deps;
  async function namespaceOf(cluster: LoadedCluster): Promise<string | null> {
    await contextsWatch.look();
    return contextOfCluster(contextsWatch.current(), cluster)?.namespace ?? null;
  }
  async function open(
    cluster: LoadedCluster,
    namespace: string | null,
    heading: string,
    program: TerminalProgram | undefined,
  ): Promise<boolean> {
    const kubeconfig = await deps.writeKubeconfig(cluster, namespace);
    const way = `export KUBECONFIG=${posixQuoted(kubeconfig)}`;
    const otherwise = `Your shell sets KUBECONFIG as it starts, so kubectl goes elsewhere. For ${visibleText(cluster.name)} run: ${way}`;
    const opened = await terminals.open({ heading, otherwise, kubeconfig }, program);
    if (!opened) {
      await unlink(kubeconfig).catch(() => undefined);
    }
    return opened;
  }
  return {
    'cluster.openTerminal': async ({ cluster: name }) => {
      const found = directory.cluster(name);
      if (!found.ok) {
        throw refusalError(found);
      }
      if (!terminals.available()) {
        throw new BrokerError('terminal.noDisplay', 'no terminal can be opened here', {
          reason: 'usage',
          hint: 'copy the kubectl line instead',
        });
      }
      const namespace = await namespaceOf(found.cluster);
      const kind = openTerminalWindow(
        {
          cluster(wanted) {
            const now = directory.cluster(wanted);
            return now.ok ? now.cluster : undefined;
          },
          program: () => config.current().settings.terminal.command,
          namespace: namespaceOf,
          open: (cluster, heading, program) => open(cluster, namespace, heading, program),
        },
        found.cluster,
        namespace,
      );
      await openOrElse(windows, kind, 'copy the kubectl line instead');
      return {};
    },
  };
}
