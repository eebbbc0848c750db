import { BrokerError } from '../../../contract/broker-error.ts';
import { sentence } from '../../../contract/ui/sentence.ts';
import type { QuestionView } from '../../../contract/ui/state.ts';
import type { ClusterMark } from '../../../domain/naming/cluster-mark.ts';
import type { QuestionBoard } from '../../approvals/question-board.ts';
import type { Submitted, WindowField, WindowKind } from '../window-kind.ts';
import { questionOver } from './approval.ts';

export interface UnknownServerWindowDeps {
  board: Pick<QuestionBoard, 'find' | 'answer'>;
  unknownServers: { suggestedName(server: string): string };
  /** By its name alone, as in a question. */
  markOf(cluster: string): ClusterMark | null;
}

/**
 * The question about an unknown server (rule: known-server), as on the terminal: a Yes writes config.yaml and
 * approves it.
 */
export function unknownServerWindow(
  { board, unknownServers, markOf }: UnknownServerWindowDeps,
  { id, rows, unchecked, server }: QuestionView,
): WindowKind {
  const suggested = unknownServers.suggestedName(server);
  const mark = markOf(suggested);
  const sure: WindowField = {
    name: 'sure',
    label: 'Type “yes” to add it anyway',
    kind: 'text',
  };
  return {
    title: 'Unknown server',
    content: {
      heading: 'Add this server?',
      // Whoever asks chose the address that the name is of: the mark says that it is by that name alone.
      ...(mark && { mark: { ...mark, text: `${mark.text}: by the suggested name` } }),
      text: ['A program requests a credential for an unknown server.'],
      rows,
      ...(unchecked && {
        danger: 'TLS verification is off: the credential could be intercepted.',
      }),
      fields: [
        {
          name: 'name',
          label: 'Name for the cluster',
          kind: 'text',
          value: suggested,
          hint: 'It is added to config.yaml under this name.',
        },
        ...(unchecked ? [sure] : []),
      ],
      yes: 'Add and allow',
      no: 'Deny',
    },
    person: { for: 'answer', reason: 'add a server that is not known yet' },
    over: async () => (board.find(id) ? null : questionOver),
    async submit({ name, sure: typed }) {
      if (unchecked && typed?.reveal().trim() !== 'yes') {
        return { kind: 'again', fault: '“yes” was not typed: nothing was added.' };
      }
      try {
        await board.answer(id, { name: name?.reveal().trim() ?? '' }, 'window');
      } catch (error) {
        if (error instanceof BrokerError && error.code === 'question.name') {
          return { kind: 'again', fault: sentence(error.message) };
        }
        throw error;
      }
      return said(true, 'Added', 'The server is in config.yaml now, and the program continues.');
    },
    async refuse() {
      await board.answer(id, 'no', 'window');
      return said(false, 'Not added', 'The program gets no credential.');
    },
  };
}

function said(good: boolean, heading: string, text: string): Submitted {
  return { kind: 'done', good, heading, text: [text] };
}
