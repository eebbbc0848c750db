import { targetText } from '../main/contract/target-name.ts';
import { callerText } from '../main/contract/ui/question-words.ts';
import type { AccountView, QuestionView, UiState } from '../main/contract/ui/state.ts';
import { whoWaits } from '../main/contract/ui/wanted-words.ts';

/** The logins and requests that quitting would break off now, in clauses. Empty if there are none. */
export function unfinishedWork({ accounts, questions }: Pick<UiState, 'accounts' | 'questions'>): string[] {
  return [
    ...Object.values(accounts).flatMap(accountClauses),
    ...Object.values(questions)
      .filter(({ ended }) => ended === null)
      .map(questionClause),
  ];
}

function accountClauses({ name, login, wanted }: AccountView): string[] {
  if (login !== null) {
    return [`the login of ${name} is under way`];
  }
  return wanted === null ? [] : [`${whoWaits(wanted)} for a login of ${name}`];
}

function questionClause({ caller, target, server, waiting }: QuestionView): string {
  const others = waiting > 1 ? `, and ${waiting - 1} more` : '';
  return `${callerText(caller)} waits for an answer about ${target ? targetText(target) : server}${others}`;
}
