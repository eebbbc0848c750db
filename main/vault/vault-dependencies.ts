import type { Secret } from '../base/secret.ts';
import type { Clock } from '../ports/clock.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { Log } from '../ports/log.ts';
import type { FileOperations } from './file-operations.ts';
import type { ScryptCost } from './seal.ts';

export interface VaultDependencies {
  /** The home: it exists, is the own user's, and its lock is held. */
  home: string;
  keychain: Keychain;
  /**
   * Selects passphrase mode: it opens a vault that has such a slot, a new vault gets that slot alone, and no
   * keychain is touched. Taken as it is: whoever reads it from a file drops the line's end.
   */
  passphrase?: Secret | undefined;
  /** Why it is locked where no passphrase, or this one, opens a vault that has one. */
  fault?: string | undefined;
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** Tests put failures in. */
  files?: FileOperations;
  /** What scrypt costs in a new slot; less in tests. */
  scryptCost?: ScryptCost;
}
