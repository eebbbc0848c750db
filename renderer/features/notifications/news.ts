import { targetText } from '../../../main/contract/target-name.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import type { UiState } from '../../../main/contract/ui/state.ts';
import { waitsAtTokenText } from '../../../main/contract/ui/token-words.ts';

export interface News {
  /** Replaces an earlier notification with the same tag. */
  tag: string;
  title: string;
  body: string;
}

type Seen = Pick<UiState, 'accounts' | 'questions'>;

const needsLogin = new Set(['loginNeeded', 'interrupted']);

/** The changes of the state that the user may want to know: questions, and accounts that need them now. */
export function newsBetween(
  before: Seen,
  now: Seen,
  wanted: { questions: boolean; logins: boolean },
): News[] {
  const questions = Object.values(now.questions).filter(({ id }) => !Object.hasOwn(before.questions, id));
  const accounts = Object.values(now.accounts).filter(({ name, state }) => {
    const was = Object.hasOwn(before.accounts, name) ? before.accounts[name] : undefined;
    // Leaves out accounts that are new in the list: the user has just added them.
    return needsLogin.has(state) && was !== undefined && !needsLogin.has(was.state) && was.state !== 'locked';
  });
  const waiting = Object.values(now.accounts).filter(
    ({ name, waitsAtToken }) =>
      waitsAtToken && !(Object.hasOwn(before.accounts, name) && before.accounts[name]?.waitsAtToken),
  );
  return [
    ...(wanted.questions
      ? questions.map(({ id, target, server, caller }) => ({
          tag: `question ${id}`,
          title: `${caller.lineage[0] ?? 'A program'} waits for your answer`,
          body: `It wants to use ${target ? targetText(target) : server}.`,
        }))
      : []),
    ...(wanted.logins
      ? waiting.map(({ name }) => ({
          tag: `touch ${name}`,
          title: `The token of ${name} waits for you`,
          body: sentence(waitsAtTokenText),
        }))
      : []),
    ...(wanted.logins
      ? accounts.map(({ name, state, problem }) => ({
          tag: `login ${name}`,
          title: `Log in to ${name}`,
          body:
            state === 'loginNeeded' && problem !== null
              ? `${sentence(problem)} Programs wait or are denied until you log in.`
              : 'Its session has expired: programs wait or are denied until you log in.',
        }))
      : []),
  ];
}
