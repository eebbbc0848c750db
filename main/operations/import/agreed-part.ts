import { BrokerError } from '../../contract/broker-error.ts';
import type { PlannedCluster, PlannedUser, PlanQuestion } from '../../domain/import/import-plan.ts';
import type { PreparedImport } from '../../kubeconfig/import/prepare.ts';
import { contextsLeft } from './questions.ts';

export interface AgreedPart {
  prepared: PreparedImport;
  /** The contexts of the new plan; null: it is the whole one. */
  contexts: string[] | null;
}

/**
 * The import without the contexts of questions that have no yes. `again` makes a plan of the contexts that are left.
 * Throws `import.unanswered` where that plan does anything else than the one that was shown: with fewer contexts,
 * another one may replace an entry. Throws `import.changed` where config.yaml has changed since.
 */
export async function agreedPart(
  prepared: PreparedImport,
  agreed: readonly PlanQuestion[],
  again: (contexts: string[]) => Promise<PreparedImport>,
): Promise<AgreedPart> {
  const refused = prepared.plan.questions.filter((question) => !agreed.includes(question));
  if (refused.length === 0) {
    return { prepared, contexts: null };
  }
  const contexts = contextsLeft(prepared, new Set(refused.flatMap((question) => question.contexts)));
  const left = await again(contexts);
  if (left.seen !== prepared.seen) {
    throw new BrokerError('import.changed', 'config.yaml has changed since the plan was shown', {
      reason: 'denied',
      hint: 'nothing was imported; look again at what is there now',
    });
  }
  if (!isPartOf(left, prepared)) {
    throw new BrokerError('import.unanswered', 'without these contexts, something else needs your answer', {
      reason: 'denied',
      hint: 'nothing was imported; leave them out first, and check the plan again',
    });
  }
  return { prepared: left, contexts };
}

/** Whether each user and each context becomes what it became in the plan that was shown. */
function isPartOf({ plan }: PreparedImport, { plan: shown }: PreparedImport): boolean {
  const users = new Map(shown.users.map((each) => [each.user, accountText(each)]));
  const clusters = new Map(shown.clusters.map((each) => [each.context, clusterText(each)]));
  return (
    plan.users.every((each) => accountText(each) === users.get(each.user)) &&
    plan.clusters.every((each) => clusterText(each) === clusters.get(each.context))
  );
}

function accountText({ becomes }: PlannedUser): string {
  return JSON.stringify(
    'left' in becomes ? becomes : [becomes.account, becomes.exists, becomes.replaces, becomes.value],
  );
}

function clusterText({ becomes }: PlannedCluster): string {
  return JSON.stringify(
    'left' in becomes
      ? becomes
      : [becomes.cluster, becomes.account, becomes.exists, becomes.replaces, becomes.value],
  );
}
