import type { SomeHandlers } from '../sample-calls.ts';

export const contextSample = {
  'context.use': (wanted, { world }) => {
    world.patch('contexts', '', { current: 'cluster' in wanted ? wanted.cluster : wanted.context });
    return { asks: false };
  },
} satisfies SomeHandlers;
