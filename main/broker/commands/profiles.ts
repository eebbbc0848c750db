import type { Command } from '../../doors/cli/command.ts';
import {
  inventoryDropCommand,
  inventoryListCommand,
  inventoryShowCommand,
  inventorySyncCommand,
  inventoryUseCommand,
} from '../../doors/cli/inventories/inventory-commands.ts';
import { inventoryKubeconfigCommand } from '../../doors/cli/inventories/inventory-kubeconfig-command.ts';
import { createKubectlContexts } from '../../doors/cli/kubeconfig/kubectl-contexts.ts';
import type { Areas } from '../areas.ts';
import { kubectlContexts } from './kubectl-contexts.ts';

export function profileCommands(areas: Areas): [string, Command][] {
  const { deps, served, records, credentials, locking, kubeconfigs } = areas;
  const profiles = {
    ...deps.inventories,
    config: deps.config,
    bindings: served.bindings,
    vault: deps.vault,
    recorder: records.recorder,
    gate: locking.gate,
    async writeContexts() {
      const warnings = await kubeconfigs.managedContexts.write();
      await kubeconfigs.userContexts.reconcile();
      return warnings;
    },
  };
  return [
    ['inventory list', inventoryListCommand(profiles)],
    ['inventory show', inventoryShowCommand(profiles)],
    ['inventory sync', inventorySyncCommand(profiles)],
    [
      'inventory use',
      inventoryUseCommand({ ...profiles, kubectl: createKubectlContexts(kubectlContexts(areas)) }),
    ],
    ['inventory drop', inventoryDropCommand(profiles)],
    [
      'inventory kubeconfig',
      inventoryKubeconfigCommand({
        ...profiles,
        directory: credentials.directory,
        helperPath: deps.paths.helper,
        home: deps.paths.homeVariable,
      }),
    ],
  ];
}
