import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { commandCall } from '../testing/command-call.ts';
import { type LockCommandDeps, lockCommand } from './lock-commands.ts';

test('lanyard lock ends when Lanyard is locked, not before', async () => {
  let isLocked = false;
  const close = async () => {
    await nextTurn();
    isLocked = true;
  };
  await lockCommand({ lock: { close } } as unknown as LockCommandDeps)(commandCall([]));
  expect(isLocked).toBe(true);
});
