import { BrokerError } from '../../../contract/broker-error.ts';
import { shellWord } from '../../../domain/text/shell-line.ts';
import type { ContextsWatch } from '../../../kubeconfig/watch/contexts-watch.ts';
import { type SwitchContextDeps, switchContext } from '../../../operations/switch-context.ts';
import type { UiHandlers } from '../handlers.ts';

export interface ContextCallsDeps extends SwitchContextDeps {
  contextsWatch: Pick<ContextsWatch, 'current' | 'look'>;
}

/** Switches the current context of the user’s kubeconfigs. */
export function createContextCalls(deps: ContextCallsDeps): Pick<UiHandlers, 'context.use'> {
  const { contextsWatch } = deps;
  return {
    'context.use': async ({ context }, { signal, isOwn }) => {
      if (!isOwn) {
        // The user’s next command would go to another cluster than they think.
        throw new BrokerError('context.page', 'a page can’t switch the context of kubectl', {
          reason: 'notPermitted',
          hint: `use the tray’s menu, or run: lanyard context ${shellWord(context)}`,
        });
      }
      // From the files as they are now, not as the page saw them.
      await contextsWatch.look();
      await switchContext(deps, contextsWatch.current(), context, { signal });
      await contextsWatch.look();
      return {};
    },
  };
}
