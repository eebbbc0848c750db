import { BrokerError } from '../../contract/broker-error.ts';
import type { PlanQuestion } from '../../domain/import/import-plan.ts';
import type { PreparedImport } from '../../kubeconfig/import/prepare.ts';
import { contextsLeft } from './questions.ts';

export interface AgreedPart {
  prepared: PreparedImport;
  /** The contexts of the new plan; null: it is the whole one. */
  contexts: string[] | null;
}

/**
 * The import without the contexts of questions that have no yes. `again` makes a plan of the contexts that are left.
 * Throws `import.unanswered` where that plan asks for more than was agreed to: with fewer contexts, another one may
 * replace an entry.
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
  const isAgreed = (question: PlanQuestion) =>
    agreed.some(
      ({ kind, contexts }) =>
        kind === question.kind && question.contexts.every((context) => contexts.includes(context)),
    );
  if (!left.plan.questions.every(isAgreed)) {
    throw new BrokerError('import.unanswered', 'without these contexts, something else needs your answer', {
      reason: 'denied',
      hint: 'nothing was imported; leave them out first, and check the plan again',
    });
  }
  return { prepared: left, contexts };
}
