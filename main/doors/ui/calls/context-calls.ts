import { contextWindow } from '../../../consent/windows/kinds/context.ts';
import type { Windows } from '../../../consent/windows/windows.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import { shellWord } from '../../../domain/text/shell-line.ts';
import { unknownName } from '../../../domain/text/unknown-name.ts';
import type { Contexts } from '../../../kubeconfig/contexts.ts';
import type { ContextsWatch } from '../../../kubeconfig/watch/contexts-watch.ts';
import { contextsCommand } from '../../../operations/cluster-context.ts';
import { contextOfCluster } from '../../../operations/context-of-cluster.ts';
import { type SwitchContextDeps, switchContext } from '../../../operations/switch-context.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';
import type { UiHandlers } from '../handlers.ts';

export interface ContextCallsDeps extends SwitchContextDeps {
  contextsWatch: Pick<ContextsWatch, 'current' | 'look'>;
  config: Pick<ConfigStore, 'current'>;
  windows: Pick<Windows, 'open'>;
}

/** Switches the current context of the user’s kubeconfigs (rule: approval-outside-page). */
export function createContextCalls(deps: ContextCallsDeps): Pick<UiHandlers, 'context.use'> {
  const { contextsWatch, config, windows } = deps;
  /** From the files as they are now, not as the page saw them. */
  async function contexts(): Promise<Contexts> {
    await contextsWatch.look();
    return contextsWatch.current();
  }
  async function use(name: string, signal: AbortSignal): Promise<void> {
    await switchContext(deps, await contexts(), name, { signal });
    await contextsWatch.look();
  }
  function nameIn(found: Contexts, cluster: string): string {
    const known = config.current().clusters;
    const loaded = known.get(cluster);
    if (!loaded) {
      throw unknownName('cluster', cluster, known.keys());
    }
    const context = contextOfCluster(found, loaded);
    if (!context) {
      const [file] = found.files;
      throw new BrokerError(
        'kubeconfig.noContext',
        `${file ?? 'the kubeconfig'} has no context for ${cluster}`,
        {
          reason: 'notFound',
          hint: `add one where kubectl finds it: ${contextsCommand}`,
        },
      );
    }
    return context.name;
  }
  return {
    'context.use': async (wanted, { signal, isOwn }) => {
      const found = await contexts();
      const name = 'cluster' in wanted ? nameIn(found, wanted.cluster) : wanted.context;
      const entry = found.entries.get(name);
      if (isOwn || !entry || found.current?.name === name) {
        // Throws where there is no such context. The current one stays as it is.
        await use(name, signal);
        return { asks: false };
      }
      // The user’s next command would go to another cluster than they think.
      const waiting = () => AbortSignal.timeout(lockMilliseconds);
      const kind = contextWindow({ contexts, use: (context) => use(context, waiting()) }, entry, found);
      await windows.open(kind, `lanyard context ${shellWord(name)}`);
      return { asks: true };
    },
  };
}

/** How long another program may keep the file locked. */
const lockMilliseconds = 30_000;
