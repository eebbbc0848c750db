import type { ImportPlanView } from '../../../main/contract/ui/calls/import.ts';

export type PlanQuestionView = ImportPlanView['questions'][number];

/** The answers by question. A new plan that asks the same question again finds its answer. */
export type Answers = Readonly<Record<string, boolean>>;

/** The key of a question: all its facts. A question about other facts is another question. */
export function questionKey({ kind, contexts, lines }: PlanQuestionView): string {
  return JSON.stringify([kind, contexts, lines]);
}

/** The answers with one more. A No also counts where the facts change later: a new name of an account asks again. */
export function withAnswer(answers: Answers, question: PlanQuestionView, yes: boolean): Answers {
  return { ...answers, [questionKey(question)]: yes, [aboutKey(question)]: yes };
}

function aboutKey({ kind, contexts }: PlanQuestionView): string {
  return JSON.stringify([kind, contexts]);
}

/**
 * Whether the question has a yes. `own`: the plan is of the files that kubectl reads. What kubectl does with them anyway
 * has a yes from the start. All else needs the user’s.
 */
export function isYes(question: PlanQuestionView, answers: Answers, own: boolean): boolean {
  const key = questionKey(question);
  if (Object.hasOwn(answers, key)) {
    return answers[key] === true;
  }
  return own && question.isUsual && answers[aboutKey(question)] !== false;
}

/** The questions that have a yes, in the form of `import.apply`. */
export function agreedTo(
  { questions }: Pick<ImportPlanView, 'questions'>,
  answers: Answers,
  own: boolean,
): string[] {
  return questions.filter((question) => isYes(question, answers, own)).map(({ id }) => id);
}

/** The contexts that are imported, those whose question has no yes, and those that can’t be imported. */
export function sortContexts(
  { contexts, questions }: Pick<ImportPlanView, 'contexts' | 'questions'>,
  answers: Answers,
  own: boolean,
): { imported: string[]; leftOut: string[]; cant: string[] } {
  const refused = new Set(
    questions.filter((question) => !isYes(question, answers, own)).flatMap((question) => question.contexts),
  );
  const can = contexts.filter(({ becomes }) => 'cluster' in becomes).map(({ context }) => context);
  return {
    imported: can.filter((context) => !refused.has(context)),
    leftOut: can.filter((context) => refused.has(context)),
    cant: contexts.filter(({ becomes }) => 'left' in becomes).map(({ context }) => context),
  };
}

/** Whether all of it is in config.yaml already, and only the user's files remain to be edited. */
export function isUnfinished(
  plan: Pick<ImportPlanView, 'sum' | 'inPlace' | 'users' | 'contexts' | 'diffs'>,
): boolean {
  const all = [...plan.users, ...plan.contexts].flatMap(({ becomes }) =>
    'left' in becomes ? [] : [becomes],
  );
  return (
    plan.sum !== null &&
    plan.inPlace &&
    plan.diffs.length > 0 &&
    all.length > 0 &&
    all.every(({ exists, replaces }) => exists && !replaces)
  );
}

/** The keys of the entries that it becomes, as in the state's pending changes. */
export function entriesOf({ users, contexts }: Pick<ImportPlanView, 'users' | 'contexts'>): string[] {
  return [
    ...users.flatMap(({ becomes }) => ('account' in becomes ? [`account ${becomes.account}`] : [])),
    ...contexts.flatMap(({ becomes }) => ('cluster' in becomes ? [`cluster ${becomes.cluster}`] : [])),
  ];
}
