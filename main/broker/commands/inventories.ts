import type { Command } from '../../doors/cli/command.ts';
import {
  inventoryAddCommand,
  inventoryRemoveCommand,
} from '../../doors/cli/inventories/inventory-add-command.ts';
import type { Areas } from '../areas.ts';

export function inventoryCommands({
  deps,
  served,
  records,
  locking,
  kubeconfigs,
}: Areas): [string, Command][] {
  const { config, vault } = deps;
  const edits = { config, bindings: served.bindings, vault, recorder: records.recorder };
  return [
    [
      'inventory add',
      inventoryAddCommand({
        ...edits,
        gate: locking.gate,
        look: served.look,
        apply: kubeconfigs.importing.apply,
        refusal: kubeconfigs.importing.refusal,
      }),
    ],
    [
      'inventory remove',
      inventoryRemoveCommand({
        ...edits,
        async reconcileContexts() {
          await kubeconfigs.managedContexts.reconcile();
          await kubeconfigs.userContexts.reconcile();
        },
      }),
    ],
  ];
}
