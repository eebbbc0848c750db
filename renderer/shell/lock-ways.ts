import type { LockView } from '../../main/contract/ui/state.ts';

export interface LockWays {
  title: string;
  /** Why the vault isn't open, for the user. */
  meaning: string;
  /** The button that opens it here, without typing a secret. */
  direct: string | null;
  /** The button that opens the broker's own window, where the user types the passphrase. */
  window: string | null;
  /** The command for a terminal. */
  command: string | null;
}

const waits = 'Unlock to let kubectl and other tools use your credentials.';

/** The ways to open the vault. `canOpen`: whether the broker's own window can open. */
export function lockWays(lock: Pick<LockView, 'kind' | 'slots'>, canOpen = true): LockWays {
  const ways = allWays(lock);
  return canOpen ? ways : { ...ways, window: null };
}

function allWays({ kind, slots }: Pick<LockView, 'kind' | 'slots'>): LockWays {
  switch (kind) {
    case 'gate':
      return { title: 'Locked', meaning: waits, direct: 'Unlock', window: null, command: 'lanyard unlock' };
    case 'keychain':
      return {
        title: 'Locked by the keychain',
        meaning: `The vault’s key is in the keychain, which didn’t give it. ${waits}`,
        direct: 'Ask the keychain again',
        window: slots.includes('passphrase') ? 'Unlock with a passphrase in a window' : null,
        command: 'lanyard unlock',
      };
    case 'none':
      return {
        title: 'There is no vault yet',
        meaning:
          'Lanyard keeps what it holds in one encrypted file. Its key can be in the keychain, or come from a passphrase that you choose.',
        direct: 'Use the keychain',
        window: 'Choose a passphrase in a window',
        command: 'lanyard unlock',
      };
    case 'broken':
      return {
        title: 'Nothing can be opened',
        meaning: 'Credentials are unavailable. Nothing has been deleted.',
        direct: null,
        window: null,
        command: 'lanyard doctor',
      };
    default:
      return {
        title: 'Locked',
        meaning: waits,
        direct: null,
        window: 'Unlock in a window',
        command: 'lanyard unlock',
      };
  }
}
