import { BrokerError } from '../../../contract/broker-error.ts';
import { clusterOf, targetText } from '../../../contract/target-name.ts';
import { originText, questionSentence, yesWords } from '../../../contract/ui/question-words.ts';
import { type PageYes, pageYes, type QuestionView } from '../../../contract/ui/state.ts';
import type { ClusterMark } from '../../../domain/naming/cluster-mark.ts';
import { type QuestionBoard, questionGone } from '../../approvals/question-board.ts';
import { quoted } from '../../approvals/question-text.ts';
import type { Submitted, WindowKind } from '../window-kind.ts';

export interface ApprovalWindowDeps {
  board: Pick<QuestionBoard, 'find' | 'answer'>;
  /** The identity that an account is logged in as; null: unknown. */
  subjectOf(account: string): Promise<string | null>;
  /** What the user calls a cluster; null: there is none of that name. */
  calledOf(cluster: string): { displayName: string | null; mark: ClusterMark | null } | null;
}

/** May this caller have this credential: an approval's question, with what the system knows of the requester. */
export async function approvalWindow(deps: ApprovalWindowDeps, question: QuestionView): Promise<WindowKind> {
  const { board } = deps;
  const { id, rows, answers, policy, printed, caller } = question;
  const subject = await deps.subjectOf(question.account);
  const origin = originText(caller);
  const longer = answers.filter((each) => each !== 'once');
  const cluster = clusterOf(question.target);
  const { displayName = null, mark = null } = (cluster === null ? null : deps.calledOf(cluster)) ?? {};
  const sentence = questionSentence(question, subject);
  return {
    title: 'A program asks',
    content: {
      heading: sentence,
      ...(mark && { mark }),
      text: ['Deny this if you didn’t start it.', ...(origin === null ? [] : [origin])],
      // Beside the name, never in its place: anyone who can edit config.yaml chooses it.
      rows: displayName === null ? rows : [['called', quoted(displayName)], ...rows],
      ...(printed && {
        danger: 'The raw credential will be printed. Any program that reads it can use it, or pass it on.',
      }),
      yes: yesWords('once', policy),
      no: 'Deny',
      ...(longer.length > 0 && {
        more: {
          label: 'Allow for longer',
          answers: longer.map((each) => ({ answer: each, label: yesWords(each, policy) })),
        },
      }),
    },
    person: {
      for: 'answer',
      reason: `let ${caller.lineage[0] ?? 'a program'} use ${question.target ? targetText(question.target) : 'a cluster'}`,
    },
    over: async () => (board.find(id) ? null : questionOver),
    async submit(_, answer) {
      await board.answer(id, answer === 'yes' ? 'once' : wordOf(answer), 'window');
      return said(true, 'Allowed', 'The program continues.');
    },
    async refuse() {
      await board.answer(id, 'no', 'window');
      return said(false, 'Denied', 'The program gets no credential.');
    },
  };
}

export const questionOver =
  'This request is no longer active: it was answered elsewhere, or the program has ended.';

/** An open question whose Yes is given in a window. Throws BrokerError. */
export function questionInWindow(board: Pick<QuestionBoard, 'find'>, id: string): QuestionView {
  const question = board.find(id);
  if (!question?.inWindow) {
    throw questionGone();
  }
  return question;
}

function wordOf(answer: string): PageYes {
  const word = pageYes.safeParse(answer);
  if (!word.success) {
    throw new BrokerError('question.answer', 'this question can’t be answered so', { reason: 'usage' });
  }
  return word.data;
}

function said(good: boolean, heading: string, text: string): Submitted {
  return { kind: 'done', good, heading, text: [text] };
}
