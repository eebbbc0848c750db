import type { LockView } from '../../main/contract/ui/state.ts';

export interface LockWays {
  title: string;
  /** What it means that it isn't open. */
  meaning: string;
  /** The button that opens it here: no secret is typed. */
  direct: string | null;
  /** The button that opens a window of the broker's own, where a passphrase is typed. */
  window: string | null;
  /** The line for a terminal. */
  command: string | null;
}

const waits = 'Unlock to let kubectl and other tools use your credentials.';

/** What can be done about a vault that isn't open. `canOpen`: a window of the broker's own can come up. */
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
