import type { UiState } from '../main/contract/ui/state.ts';

/** What of a person's an end of the app would break off now, in a clause; null: nothing. */
export function whatEnds({ accounts, questions }: Pick<UiState, 'accounts' | 'questions'>): string | null {
  const [login] = Object.values(accounts).filter((each) => each.login !== null);
  if (login) {
    return `the login of ${login.name} is under way`;
  }
  const [question] = Object.values(questions).filter(({ ended }) => ended === null);
  return question ? `${question.caller.lineage[0] ?? 'a program'} waits for an answer` : null;
}
