import { expect, it } from 'vitest';
import { lockText } from './lock-text.ts';

const lock = { reason: null, hint: null, slots: ['keychain', 'recoveryKey'] as const };

it('says in few letters when it locks, and in a sentence where that fits', () => {
  const idle = { afterSeconds: 900, locksAt: 1 };
  const text = lockText({ ...lock, slots: [...lock.slots], kind: 'open', idle });
  expect(text).toEqual({
    state: 'Unlocked · 15 min',
    slots: 'Keychain',
    detail: 'Locks after 15 min without use',
  });
  expect(lockText({ ...lock, slots: [], kind: 'open', idle: null }).detail).toBeNull();
});
