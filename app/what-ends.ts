import type { QuestionView, UiState } from '../main/contract/ui/state.ts';

/** What of people’s and programs’ an end of the app would break off now, in clauses; none: nothing. */
export function whatEnds({ accounts, questions }: Pick<UiState, 'accounts' | 'questions'>): string[] {
  return [
    ...Object.values(accounts)
      .filter(({ login }) => login !== null)
      .map(({ name }) => `the login of ${name} is under way`),
    ...Object.values(questions)
      .filter(({ ended }) => ended === null)
      .map(questionClause),
  ];
}

function questionClause({ caller, cluster, server, waiting }: QuestionView): string {
  const [program = 'a program', parent] = caller.lineage;
  const who = parent === undefined ? program : `${program} (from ${parent})`;
  const others = waiting > 1 ? `, and ${waiting - 1} more` : '';
  return `${who} waits for an answer about ${cluster ?? server}${others}`;
}
