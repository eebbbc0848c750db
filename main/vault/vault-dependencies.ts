import type { Secret } from '../base/secret.ts';
import type { Clock } from '../ports/clock.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { Log } from '../ports/log.ts';
import type { FileOperations } from './file-operations.ts';
import type { PassphraseKdf } from './seal.ts';

export interface VaultDependencies {
  /** The home. It must exist, belong to this user, and be locked by this broker. */
  home: string;
  keychain: Keychain;
  /**
   * Selects passphrase mode: the passphrase opens a vault with such a slot, a new vault gets only that slot, and the
   * keychain isn’t used. Strip the line’s end when you read it from a file.
   */
  passphrase?: Secret | undefined;
  /** The reason to report where the vault needs a passphrase, and none or a wrong one was given. */
  fault?: string | undefined;
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** Tests make it fail. */
  files?: FileOperations;
  /** Scrypt; cheaper in tests. */
  kdf?: PassphraseKdf;
}
