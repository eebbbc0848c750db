import {
  clusterAddCommand,
  clusterListCommand,
  clusterRemoveCommand,
} from '../../doors/cli/clusters/cluster-commands.ts';
import { clusterShowCommand } from '../../doors/cli/clusters/cluster-show-command.ts';
import { execCredentialCommand } from '../../doors/cli/clusters/exec-credential-command.ts';
import type { Command } from '../../doors/cli/command.ts';
import { createKubectlContexts } from '../../doors/cli/kubeconfig/kubectl-contexts.ts';
import type { Areas } from '../areas.ts';
import { kubectlContexts } from './kubectl-contexts.ts';

export function clusterCommands(areas: Areas): [string, Command][] {
  const { deps, served, records, credentials, consent, locking, status } = areas;
  const { config, vault, clock } = deps;
  const { bindings } = served;
  const { recorder } = records;
  const { directory, grants } = credentials;
  const { approvals } = consent;
  const { gate } = locking;
  const edits = {
    status,
    config,
    bindings,
    vault,
    recorder,
    kubectl: createKubectlContexts(kubectlContexts(areas)),
    userContexts: areas.kubeconfigs.userContexts,
  };
  return [
    ['cluster add', clusterAddCommand(edits)],
    ['cluster list', clusterListCommand(edits)],
    ['cluster show', clusterShowCommand({ status, config: served.serving })],
    ['cluster remove', clusterRemoveCommand(edits)],
    ['exec-credential', execCredentialCommand({ approvals, recorder, clock, grants, gate, directory })],
  ];
}
