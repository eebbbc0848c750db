import { type QuestionBoard, questionGone } from '../../approvals/question-board.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { sentence } from '../window-flow.ts';
import type { Submitted, WindowField, WindowKind } from '../window-kind.ts';

export interface QuestionWindowDeps {
  board: Pick<QuestionBoard, 'find' | 'answer'>;
  unknownServers: { suggestedName(server: string): string };
}

/** The question about an unknown server (rule 3), as on the terminal: a yes writes config.yaml and confirms it. */
export function questionWindow({ board, unknownServers }: QuestionWindowDeps, id: string): WindowKind {
  const question = board.find(id);
  if (!question?.inWindow) {
    throw questionGone();
  }
  const { rows, unchecked, server } = question;
  const sure: WindowField = {
    name: 'sure',
    label: 'Type yes in full to add it all the same',
    kind: 'text',
  };
  return {
    title: 'A server that is not known',
    content: {
      heading: 'Add this server?',
      text: ['A program wants a credential for a server that Lanyard doesn’t know.'],
      rows,
      ...(unchecked && {
        danger: 'Nobody checks who answers there: the credential can be taken on the way.',
      }),
      fields: [
        {
          name: 'name',
          label: 'Name for the cluster',
          kind: 'text',
          value: unknownServers.suggestedName(server),
          hint: 'It is added to config.yaml under this name.',
        },
        ...(unchecked ? [sure] : []),
      ],
      yes: 'Add it, and send the credential',
    },
    over: async () =>
      board.find(id) ? null : 'This question is over: it was answered elsewhere, or nobody waits any more.',
    async submit({ name, sure: typed }) {
      if (unchecked && typed?.reveal().trim() !== 'yes') {
        return { kind: 'again', fault: 'The word yes was not typed in full: nothing was added.' };
      }
      try {
        await board.answer(id, { name: name?.reveal().trim() ?? '' }, 'window');
      } catch (error) {
        if (error instanceof BrokerError && error.code === 'question.name') {
          return { kind: 'again', fault: sentence(error.message) };
        }
        throw error;
      }
      return said(true, 'Added', 'The server is in config.yaml now, and the program that asked goes on.');
    },
    async refuse() {
      await board.answer(id, 'no', 'window');
      return said(false, 'Not added', 'The program that asked was refused.');
    },
  };
}

function said(good: boolean, heading: string, text: string): Submitted {
  return { kind: 'done', good, heading, text: [text] };
}
