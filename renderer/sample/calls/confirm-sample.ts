import type { SomeHandlers } from '../sample-calls.ts';
import { confirmAll, pendingLines } from '../sample-pending.ts';
import { unlockWorld } from '../sample-states.ts';
import { minutes, seconds } from '../spans.ts';

export const confirmSample = {
  'confirm.list': (_, { world }) => ({
    changes: world.list('held').map((held) => ({
      title: `${held.what} ${held.name}: ${held.change}`,
      risks: [],
      lines: pendingLines(world, held) ?? [],
    })),
    command: 'lanyard confirm',
  }),
  // The demo has no windows. Its strip says so, and the demo continues as if the user had approved in one.
  'window.open': ({ what }, { world }) => {
    const openedAt = world.time.now();
    world.set('window', '', { title: titles[what], openedAt, endsAt: openedAt + minutes(5) });
    world.time.after(seconds(3), () => {
      world.set('window', '', null);
      if (what === 'unlock') {
        unlockWorld(world);
      } else if (what === 'confirm') {
        confirmAll(world);
      }
    });
    return {};
  },
} satisfies SomeHandlers;

const titles = {
  confirm: 'Approve changes',
  unlock: 'Unlock',
  contexts: 'Contexts for kubectl',
  secret: 'Enter secret',
  question: 'Unknown server',
} as const;
