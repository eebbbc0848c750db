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
  /** The window is the better way: the keychain was tried already. */
  windowFirst?: true;
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
        title: 'Waiting for the system keychain',
        meaning: `Lanyard couldn’t read its key from the system keychain. ${waits}`,
        direct: 'Try the keychain again',
        window: slots.includes('passphrase') ? 'Unlock with passphrase…' : null,
        command: 'lanyard unlock',
      };
    case 'none':
      return {
        title: 'Create your vault',
        meaning:
          'Lanyard stores your credentials in an encrypted vault. Protect it with the system keychain or a passphrase.',
        direct: 'Try the keychain again',
        window: 'Use a passphrase…',
        command: 'lanyard unlock',
        windowFirst: true,
      };
    case 'broken':
      return {
        title: 'The vault can’t be opened',
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
        window: 'Unlock…',
        command: 'lanyard unlock',
      };
  }
}
