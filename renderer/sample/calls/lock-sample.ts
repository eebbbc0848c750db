import { SampleRefusal, type SomeHandlers } from '../sample-calls.ts';
import { unlockWorld } from '../sample-states.ts';

export const lockSample = {
  'lock.close': async (_, { world, wait }) => {
    await wait(300);
    world.patch('lock', '', { kind: 'gate', reason: 'You locked it.', idle: null });
    for (const { name } of world.list('accounts')) {
      world.patch('accounts', name, { state: 'locked' });
    }
    for (const { name } of world.list('clusters')) {
      world.patch('clusters', name, { state: 'locked', problem: null });
    }
    return {};
  },
  'lock.open': async (_, { world, wait }) => {
    await wait(500);
    if (world.get('lock', '')?.kind === 'passphrase') {
      throw new SampleRefusal('only your passphrase opens it', 'run in a terminal: lanyard unlock');
    }
    unlockWorld(world);
    return {};
  },
} satisfies SomeHandlers;
