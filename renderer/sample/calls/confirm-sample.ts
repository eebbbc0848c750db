import { defineSample } from '../sample-calls.ts';
import { unlockWorld } from '../sample-states.ts';
import { minutes, seconds } from '../spans.ts';

export const confirmSample = defineSample({
  'confirm.list': (_, { world }) => ({
    changes: world.list('held').map(({ what, name, change }) => ({
      title: `${what} ${name}: ${change}`,
      lines: [`+ ${what}s:`, `+   ${name}: …`],
    })),
    command: 'lanyard confirm',
  }),
  // Nobody answers in a window of the invented broker: it closes by itself, as if the person had said yes.
  'window.open': ({ what }, { world }) => {
    const openedAt = world.time.now();
    world.set('window', '', { title: titles[what], openedAt, endsAt: openedAt + minutes(5) });
    world.time.after(seconds(3), () => {
      world.set('window', '', null);
      if (what === 'unlock') {
        unlockWorld(world);
      } else if (what === 'confirm') {
        for (const held of world.list('held')) {
          world.set('held', `${held.what} ${held.name}`, null);
          if (held.what === 'account') {
            world.patch('accounts', held.name, { state: 'loginNeeded', problem: null });
          } else if (held.what === 'cluster') {
            world.patch('clusters', held.name, { state: 'loginNeeded', problem: null });
          }
        }
      }
    });
    return {};
  },
});

const titles = {
  confirm: 'Take changes into force',
  unlock: 'Unlock',
  secret: 'Give a secret',
  question: 'A server that is not known',
} as const;
