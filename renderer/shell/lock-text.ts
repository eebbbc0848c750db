import type { LockView } from '../../main/contract/ui/state.ts';
import { spanText } from '../ui/time/index.ts';

/** The two lines at the bottom of the sidebar: whether the vault is open, and what opens it. */
export function lockText(lock: LockView): { state: string; slots: string | null } {
  const names = { keychain: 'Keychain', passphrase: 'Passphrase' } as const;
  const slots =
    lock.slots
      // The recovery key isn't for daily unlocking.
      .filter((slot) => slot !== 'recoveryKey')
      .map((slot) => names[slot as keyof typeof names])
      .join(', ') || null;
  switch (lock.kind) {
    case 'open':
      return {
        state: lock.idle ? `Unlocked · locks after ${spanText(lock.idle.afterSeconds * 1000)}` : 'Unlocked',
        slots,
      };
    case 'none':
      return { state: 'No vault yet', slots: null };
    case 'broken':
      return { state: 'Vault can’t be read', slots: null };
    default:
      return { state: 'Locked', slots };
  }
}
