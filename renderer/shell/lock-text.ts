import type { LockView } from '../../main/contract/ui/state.ts';
import { spanText } from '../ui/time/index.ts';

/**
 * The two lines at the bottom of the sidebar: whether the vault is open, and what opens it. `detail`: a tooltip, for a
 * sentence wouldn’t fit on one line.
 */
export function lockText(lock: LockView): { state: string; slots: string | null; detail: string | null } {
  const names = { keychain: 'Keychain', passphrase: 'Passphrase' } as const;
  const slots =
    lock.slots
      // The recovery key isn't for daily unlocking.
      .filter((slot) => slot !== 'recoveryKey')
      .map((slot) => names[slot as keyof typeof names])
      .join(', ') || null;
  switch (lock.kind) {
    case 'open':
      return lock.idle
        ? openUntil(spanText(lock.idle.afterSeconds * 1000), slots)
        : { state: 'Unlocked', slots, detail: null };
    case 'none':
      return { state: 'No vault yet', slots: null, detail: null };
    case 'broken':
      return { state: 'Vault can’t be read', slots: null, detail: null };
    default:
      return { state: 'Locked', slots, detail: null };
  }
}

function openUntil(span: string, slots: string | null) {
  return { state: `Unlocked · ${span}`, slots, detail: `Locks after ${span} without use` };
}
