import type { Command } from '../../doors/cli/command.ts';
import { importCommand } from '../../doors/cli/import/import-command.ts';
import { kubeconfigUndoCommand } from '../../doors/cli/import/undo-command.ts';
import { contextCommand } from '../../doors/cli/kubeconfig/context-command.ts';
import { kubeconfigContextsCommand } from '../../doors/cli/kubeconfig/contexts-command.ts';
import { envCommand } from '../../doors/cli/kubeconfig/env-command.ts';
import { kubeconfigWriteCommand } from '../../doors/cli/kubeconfig/kubeconfig-command.ts';
import { kubeconfigDismissCommand } from '../../doors/cli/kubeconfig/kubeconfig-dismiss-command.ts';
import { createKubectlContexts } from '../../doors/cli/kubeconfig/kubectl-contexts.ts';
import type { Areas } from '../areas.ts';
import { kubectlContexts } from './kubectl-contexts.ts';

export function kubeconfigCommands(areas: Areas): [string, Command][] {
  const { deps, credentials, locking, kubeconfigs, status } = areas;
  const kubectl = kubectlContexts(areas);
  const { paths } = deps;
  const { directory } = credentials;
  const { gate } = locking;
  const {
    pathsOf,
    contexts,
    importing,
    editing,
    kubeconfigState,
    kubeconfigWatch,
    setCurrentContext,
    writeManaged,
  } = kubeconfigs;
  const { platform } = process;
  return [
    ['context', contextCommand({ pathsOf, contexts, status, kubeconfigState, setCurrentContext })],
    [
      'env',
      envCommand({ pathsOf, path: paths.kubeconfig, platform, userContexts: kubeconfigs.userContexts }),
    ],
    [
      'kubeconfig write',
      kubeconfigWriteCommand({ directory, gate, path: paths.kubeconfig, write: writeManaged }),
    ],
    [
      'kubeconfig import',
      importCommand({
        paths: pathsOf,
        ...importing,
        read: importing.readSource,
        config: paths.config,
        kubectl: createKubectlContexts(kubectl),
      }),
    ],
    ['kubeconfig contexts', kubeconfigContextsCommand(kubectl)],
    ['kubeconfig dismiss', kubeconfigDismissCommand({ watch: kubeconfigWatch })],
    ['kubeconfig undo', kubeconfigUndoCommand({ ...editing, userContexts: kubeconfigs.userContexts })],
  ];
}
