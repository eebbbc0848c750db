import { clusterName } from '../../domain/target/target.ts';
import type { Door } from '../../ports/door.ts';
import { parseKubeArguments } from './arguments.ts';
import { createExecDoor, type ExecDoorDeps } from './exec-door.ts';
import { type FindApprovedDeps, findApproved } from './find-approved.ts';
import { findCluster } from './find-cluster.ts';

export interface KubeDoorDeps extends FindApprovedDeps, ExecDoorDeps {}

/** The kube door: for clients that read a kubeconfig, whose user names the account. */
export function createKubeDoor(deps: KubeDoorDeps): Door {
  return createExecDoor(
    {
      door: 'kube',
      readArguments: parseKubeArguments,
      recorded: ({ account, cluster }) => ({
        account,
        target: cluster === null ? null : clusterName(cluster),
      }),
      async find(question, context) {
        const named = deps.directory.account(question.account);
        if (!named.ok) {
          return named;
        }
        const { account } = named;
        const found = await findApproved({ question, account }, context, deps);
        return found.ok ? { ...found, account } : found;
      },
      again: (question) => findCluster(question, deps),
      isAttended: true,
    },
    deps,
  );
}
