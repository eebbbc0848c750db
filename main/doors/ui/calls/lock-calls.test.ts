import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import type { UserCheckResult } from '../../../consent/windows/user-gate.ts';
import type { WindowKind } from '../../../consent/windows/window-kind.ts';
import type { VaultState } from '../../../ports/vault.ts';
import { createLockCalls } from './lock-calls.ts';

/** What a page that was taken over gets by `lock.open`. */

const gate: VaultState = { kind: 'locked', how: 'gate', reason: 'by a person' };
const none: VaultState = { kind: 'none', reason: 'no keychain' };
const asked: VaultState = { kind: 'locked', how: 'keychain', reason: 'it didn’t give it' };

let state: VaultState;
let opened: number;
let windows: number;
let said: UserCheckResult;
let reasons: string[];
let decidesAll: boolean;
let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock();
  [opened, windows, reasons, said, decidesAll] = [0, 0, [], 'unasked', true];
});

const open = () => page()();

/** The page of one broker. */
function page(): () => Promise<object> {
  const becomeOpen = async () => {
    opened++;
    state = { kind: 'open', slots: [], generation: 2 };
  };
  const calls = createLockCalls({
    clock,
    lock: { close: async () => undefined, settled: async () => undefined },
    vault: {
      state: () => state,
      retry: becomeOpen,
      unlock: async () => {
        await becomeOpen();
        return { ok: true };
      },
    },
    recorder: { record: () => undefined },
    person: {
      ask: async (_, reason) => {
        reasons.push(reason);
        return said;
      },
    },
    windows: {
      decidesAll,
      open: async () => void windows++,
    },
    unlockWindow: async () => ({ kind: {} as WindowKind, command: 'lanyard unlock' }),
    onOpened: async () => undefined,
  });
  return () => calls['lock.open']({}, { signal: AbortSignal.abort(), progress: () => undefined });
}

describe('in the desktop app a page’s word', () => {
  it.each<[UserCheckResult, number, number]>([
    ['yes', 1, 0],
    ['cannot', 0, 1],
    ['unasked', 0, 1],
  ])('opens the gate where the system says %s: opened %i, windows %i', async (word, isOpened, isAsked) => {
    [state, said] = [gate, word];
    await open();
    expect([opened, windows, reasons]).toEqual([isOpened, isAsked, ['unlock']]);
  });

  it('opens nothing, and no window, where the system says no', async () => {
    [state, said] = [gate, 'no'];
    await expect(open()).rejects.toMatchObject({ code: 'unlock.person', reason: 'denied' });
    expect([opened, windows]).toEqual([0, 0]);
  });

  it('brings up the system’s question a few times, and once at a time', async () => {
    [state, said] = [gate, 'no'];
    const unlock = page();
    const codes: string[] = [];
    const ask = () => unlock().catch(({ code }: { code: string }) => codes.push(code));
    await Promise.all(Array.from({ length: 60 }, ask));
    expect(reasons).toHaveLength(1);
    for (let i = 0; i < 60; i++) {
      await ask();
    }
    expect(reasons).toHaveLength(4);
    expect(codes.at(-1)).toBe('unlock.tooOften');
    clock.advance(15_000);
    await ask();
    expect(reasons).toHaveLength(5);
  });

  it('makes no vault: a window does, whoever is there', async () => {
    [state, said] = [none, 'yes'];
    await open();
    expect([opened, windows, reasons]).toEqual([0, 1, []]);
  });

  it('asks the keychain again, which itself asks the user', async () => {
    state = asked;
    await open();
    expect([opened, windows]).toEqual([1, 0]);
  });
});

it.each([gate, none])('without it a click is enough: %j', async (before) => {
  [state, decidesAll, said] = [before, false, 'no'];
  await open();
  expect([opened, windows, reasons]).toEqual([1, 0, []]);
});
