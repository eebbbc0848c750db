import type { SomeHandlers } from '../sample-calls.ts';

/** The desktop app of the invented broker. Nothing of it is on this machine. */
export const desktopSample = {
  'desktop.setStartAtLogin': ({ on }, { world }) => {
    world.patch('desktop', '', { startsAtLogin: on });
    return {};
  },
  'desktop.pauseNotifications': ({ minutes }, { world }) => {
    const until = minutes === null ? null : world.time.now() + minutes * 60_000;
    world.patch('desktop', '', { notificationsPausedUntil: until });
    return { asks: false };
  },
  'desktop.checkForUpdate': async (_, { world, wait }) => {
    world.patch('desktop', '', { update: { kind: 'checking' } });
    await wait(800);
    world.patch('desktop', '', { update: { kind: 'available', version: '0.2.0', notes: null } });
    return {};
  },
  'desktop.fetchUpdate': async (_, { world, wait }) => {
    await wait(1_500);
    world.patch('desktop', '', { update: { kind: 'ready', version: '0.2.0' } });
    return {};
  },
  'desktop.installUpdate': (_, { world }) => {
    world.patch('desktop', '', { update: { kind: 'idle', checkedAt: world.time.now() } });
    return {};
  },
  'desktop.chooseFiles': () => ({ files: [] }),
} satisfies SomeHandlers;
