import type { ImportPlanView } from '../../../main/contract/ui/calls/import.ts';

export type PlanQuestionView = ImportPlanView['questions'][number];

/** The answers by question. A new plan that asks the same question again finds its answer. */
export type Answers = Readonly<Record<string, string>>;

/** The key of a question: all its facts. A question about other facts is another question. */
export function questionKey({ kind, contexts, lines }: PlanQuestionView): string {
  return JSON.stringify([kind, contexts, lines]);
}

/** Whether the user agreed. A question with `wholeWord` needs the word yes, typed in full. */
export function isYes(question: PlanQuestionView, answers: Answers): boolean {
  const key = questionKey(question);
  const word = Object.hasOwn(answers, key) ? answers[key] : undefined;
  return word !== undefined && (question.wholeWord ? word.trim().toLowerCase() === 'yes' : word !== '');
}

/** The answers in the form of `import.apply`. Null: some question has no yes. */
export function agreedTo(
  { questions }: Pick<ImportPlanView, 'questions'>,
  answers: Answers,
): { question: string; word: string }[] | null {
  const agreed = questions.filter((question) => isYes(question, answers));
  return agreed.length < questions.length
    ? null
    : agreed.map((question) => ({ question: question.id, word: answers[questionKey(question)] ?? '' }));
}

/** The contexts that remain after a No. The plan is made again from these. */
export function withoutRefused(
  { contexts }: Pick<ImportPlanView, 'contexts'>,
  refused: readonly string[],
): string[] {
  const no = new Set(refused);
  return contexts
    .filter(({ context, becomes }) => 'cluster' in becomes && !no.has(context))
    .map(({ context }) => context);
}

/**
 * Whether one click on Import may agree to all questions: their facts fit beside the button. Otherwise they are asked
 * one by one.
 */
export function canGoAtOnce({ questions, sum, users }: ImportPlanView): boolean {
  return sum !== null && questions.every(({ kind }) => kind === 'unknownAuthority') && users.length <= 20;
}

/** Says yes to all questions. */
export function yesToAll({ questions }: Pick<ImportPlanView, 'questions'>): Answers {
  return Object.fromEntries(questions.map((question) => [questionKey(question), 'y']));
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
