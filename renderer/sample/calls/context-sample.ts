import type { SomeHandlers } from '../sample-calls.ts';

export const contextSample = {
  'context.use': ({ context }, { world }) => {
    world.patch('contexts', '', { current: context });
    return {};
  },
} satisfies SomeHandlers;
