import type { Approvals } from '../../consent/approvals/approvals.ts';
import type { UnknownServers } from '../../consent/approvals/unknown-servers.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { Account } from '../../ports/account.ts';
import type { Gate } from '../../ports/broker-core.ts';
import type { DoorContext } from '../../ports/door.ts';
import { recheck, recheckAccount } from '../recheck.ts';
import {
  type FindClusterDeps,
  type FoundTarget,
  findCluster,
  type KubeQuestion,
  unknownServerCode,
} from './find-cluster.ts';

export interface FindApprovedDeps extends FindClusterDeps {
  gate: Gate;
  approvals: Pick<Approvals, 'approve'>;
  unknownServers: Pick<UnknownServers, 'ask'>;
}

/** What was found when the request came, to be checked again after each wait. */
export interface Asked {
  question: KubeQuestion;
  account: Account;
}

/**
 * The cluster that the credential would go to, and the user's approval where it is needed: an unknown server is shown
 * to the user (rule: known-server), and a cluster's approval asked for.
 */
export async function findApproved(
  asked: Asked,
  context: DoorContext,
  deps: FindApprovedDeps,
): Promise<FoundTarget> {
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
    const changed = recheckAccount(asked.account, deps);
    found = changed ?? findCluster(question, deps);
  }
  if (!found.ok) {
    return found;
  }
  const { target } = found;
  const approved = await deps.approvals.approve({ ...person, target });
  if (!approved.ok) {
    return approved;
  }
  const changed = approved.waited
    ? recheck({ account, target, again: () => findCluster(question, deps) }, deps)
    : null;
  return changed ?? found;
}

function unknownAgain(asked: Asked, deps: FindApprovedDeps): Refusal | 'known' | null {
  const changed = recheckAccount(asked.account, deps);
  if (changed) {
    return changed;
  }
  const found = findCluster(asked.question, deps);
  if (found.ok) {
    return 'known';
  }
  return found.code === unknownServerCode ? null : found;
}
