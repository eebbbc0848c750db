import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { KeptEvents } from '../grants/testing/silent-deps.ts';
import type { VaultState } from '../ports/vault.ts';
import { createLock, type Lock } from './lock.ts';

const open: VaultState = { kind: 'open', slots: ['keychain'], generation: 1 };
const locked: VaultState = { kind: 'locked', how: 'gate', reason: 'it was locked by you' };

let state: VaultState;
/** What was done, in its order. */
let done: string[];
let drained: PromiseWithResolvers<void>;
let recorder: KeptEvents;
let lock: Lock;
beforeEach(() => {
  state = open;
  done = [];
  drained = Promise.withResolvers();
  recorder = new KeptEvents();
  lock = createLock({
    vault: {
      state: () => state,
      lock: async (why) => {
        done.push(`vault: ${why}`);
        state = locked;
      },
    },
    grants: {
      drain: (milliseconds) => {
        done.push(`drain ${milliseconds}`);
        return drained.promise;
      },
      forgetAll: () => void done.push('forget'),
    },
    logins: { cancelAll: (why) => void done.push(`logins: ${why}`) },
    recorder,
    questions: [{ lock: ({ code }) => void done.push(`question: ${code}`) }],
  });
});

describe('a lock (rule: locked-issues-nothing)', () => {
  it('closes the doors at once, and the vault when what is under way has ended', async () => {
    expect([lock.gate(), lock.state()]).toEqual([null, open]);
    const closed = lock.close('command');
    expect(lock.gate()).toMatchObject({ reason: 'locked', code: 'lock.closing' });
    expect(lock.gate()?.message).toContain('locked by you');
    expect(lock.state()).toMatchObject({ kind: 'locked', reason: expect.stringContaining('locked by you') });
    await turn();
    const before = ['question: lock.closing', 'logins: lanyard was locked', 'drain 10000'];
    expect(done).toEqual(before);
    drained.resolve();
    await closed;
    expect(done).toEqual([...before, 'vault: it was locked by you', 'forget']);
    expect(lock.gate()).toMatchObject({ reason: 'locked', code: 'vault.locked' });
  });

  it.each([
    ['command', 'by you'],
    ['idle', 'lock.afterIdle'],
    ['screen', 'lock.withScreen'],
  ] as const)('by %s says why (%s), and is on record once', async (why, text) => {
    drained.resolve();
    await lock.close(why);
    expect(done).toContainEqual(expect.stringContaining(text));
    await lock.close(why);
    expect(recorder.all).toEqual([{ kind: 'lock', what: 'locked', why }]);
  });

  it('is joined by a second one, and an unlock waits until it is locked', async () => {
    const both = [lock.close('command'), lock.close('screen')];
    let isSettled = false;
    const settled = lock.settled().then(() => {
      isSettled = true;
    });
    await turn();
    expect(isSettled).toBe(false);
    drained.resolve();
    await Promise.all([...both, settled]);
    expect(state).toBe(locked);
    expect(done.filter((each) => each.startsWith('vault'))).toEqual(['vault: it was locked by you']);
    state = open;
    await lock.close('idle');
    expect(done.filter((each) => each.startsWith('vault'))).toHaveLength(2);
  });

  it('that fails is told to who asked for it, and keeps no unlock waiting', async () => {
    const closed = lock.close('command');
    const settled = lock.settled();
    drained.reject(new Error('not drained'));
    await expect(closed).rejects.toThrow('not drained');
    await settled;
    expect(lock.gate()).toBeNull();
  });

  it('of nobody keeps no unlock waiting', () => lock.settled());
});
