import type { Approvals } from '../../approvals/approvals.ts';
import type { UnknownServers } from '../../approvals/unknown-servers.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { clusterShape } from '../../domain/binding.ts';
import type { Account } from '../../ports/account.ts';
import type { Gate } from '../../ports/broker-core.ts';
import type { LoadedCluster } from '../../ports/config-store.ts';
import type { DoorContext } from '../door.ts';
import {
  type FindClusterDeps,
  type FoundCluster,
  findCluster,
  type KubeQuestion,
  unknownServerCode,
} from './find-cluster.ts';

export interface AskPersonDeps extends FindClusterDeps {
  gate: Gate;
  approvals: Pick<Approvals, 'approve'>;
  unknownServers: Pick<UnknownServers, 'ask'>;
}

/** What was found when the request came, to be looked at again after each wait. */
export interface Asked {
  question: KubeQuestion;
  account: Account;
}

/**
 * The cluster that the credential would go to, and a person's word for it where that is needed: an unknown server
 * is shown to the person (rule 3), and a cluster's approval asked for.
 */
export async function findApproved(
  asked: Asked,
  context: DoorContext,
  deps: AskPersonDeps,
): Promise<FoundCluster> {
  const { question, account } = asked;
  const person = { ...context, interactive: question.request.interactive };
  let found = findCluster(question, deps);
  const server = question.request.cluster;
  if (!found.ok && found.code === unknownServerCode && server) {
    const stillUnknown = () => unknownAgain(asked, deps);
    const added = await deps.unknownServers.ask({ ...person, account, server, stillUnknown, refusal: found });
    if (!added.ok) {
      return added;
    }
    const changed = recheckAccount(asked, deps);
    found = changed ?? findCluster(question, deps);
  }
  if (!found.ok) {
    return found;
  }
  const { cluster } = found;
  const approved = await deps.approvals.approve({ ...person, account: account.name, cluster });
  if (!approved.ok) {
    return approved;
  }
  const changed = approved.waited ? recheck({ ...asked, cluster }, deps) : null;
  return changed ?? found;
}

/** Time has passed: the lock, the configuration and the confirmation may have changed meanwhile. */
export function recheck(
  asked: Asked & { cluster: LoadedCluster },
  deps: FindClusterDeps & { gate: Gate },
): Refusal | null {
  const changed = recheckAccount(asked, deps);
  if (changed) {
    return changed;
  }
  const found = findCluster(asked.question, deps);
  if (!found.ok) {
    return found;
  }
  return found.cluster === asked.cluster || clusterShape(found.cluster) === clusterShape(asked.cluster)
    ? null
    : refuse(
        'notPermitted',
        'kube.cluster.changed',
        `the configuration of ${asked.cluster.name} changed while its credential was fetched`,
        'try again',
      );
}

function recheckAccount({ account }: Asked, deps: FindClusterDeps & { gate: Gate }): Refusal | null {
  const locked = deps.gate();
  if (locked) {
    return locked;
  }
  const now = deps.directory.account(account.name);
  if (!now.ok) {
    return now;
  }
  const what = `the configuration of ${account.name} changed while its credential was fetched`;
  return now.account === account ? null : refuse('notPermitted', 'kube.account.changed', what, 'try again');
}

function unknownAgain(asked: Asked, deps: AskPersonDeps): Refusal | 'known' | null {
  const changed = recheckAccount(asked, deps);
  if (changed) {
    return changed;
  }
  const found = findCluster(asked.question, deps);
  if (found.ok) {
    return 'known';
  }
  return found.code === unknownServerCode ? null : found;
}
