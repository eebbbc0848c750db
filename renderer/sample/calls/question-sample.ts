import { clusterOf } from '../../../main/contract/target-name.ts';
import type { SomeHandlers } from '../sample-calls.ts';
import { SampleRefusal } from '../sample-calls.ts';
import { seconds } from '../spans.ts';

export const questionSample = {
  'question.answer': ({ id, answer }, { world }) => {
    const question = world.get('questions', id);
    if (!question || question.ended !== null) {
      throw new SampleRefusal('this question has been answered already');
    }
    world.patch('questions', id, { ended: { how: answer === 'no' ? 'no' : 'yes', where: 'page' } });
    world.time.after(seconds(4), () => world.set('questions', id, null));
    const cluster = clusterOf(question.target);
    const found = cluster === null ? null : world.get('clusters', cluster);
    if (found) {
      world.patch('clusters', found.name, {
        lastCall: {
          at: world.time.now(),
          program: 'kubectl',
          parent: 'zsh',
          outcome: answer === 'no' ? 'refused' : 'handedOut',
          reason: answer === 'no' ? 'denied' : 'held',
          microseconds: 1400,
        },
      });
    }
    return {};
  },
} satisfies SomeHandlers;
