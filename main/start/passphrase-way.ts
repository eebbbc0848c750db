import { resolve } from 'node:path';
import type { Secret } from '../base/secret.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { readPassphraseFile } from '../doors/cli/vault/passphrase-file.ts';
import type { AccessLists } from '../ports/access-lists.ts';

/** The passphrase that a broker is started with. */
export interface PassphraseWay {
  passphrase: Secret | undefined;
  /** The file that a broker which is started again reads; undefined: none, or a pipe, which is read once. */
  again: string | undefined;
  /** Why the vault stays locked where the file doesn't open it; undefined: no file was named. */
  fault: string | undefined;
}

/**
 * Reads the passphrase file. `remembered`: a helper names the file of the last broker’s start. Where that is no longer
 * usable, the broker still runs, with a locked vault. Throws BrokerError for a file that the user named.
 */
export async function readPassphraseWay(
  file: string | undefined,
  { remembered, access }: { remembered: boolean; access: AccessLists | null },
): Promise<PassphraseWay> {
  if (file === undefined) {
    return { passphrase: undefined, again: undefined, fault: undefined };
  }
  const path = resolve(file);
  const again = /^\/(dev|proc)\//.test(path) ? undefined : path;
  try {
    const passphrase = await readPassphraseFile(path, remembered ? 'file' : 'fileOrPipe', access);
    return { passphrase, again, fault: `the passphrase in ${path} doesn’t open the vault` };
  } catch (error) {
    if (!remembered || !(error instanceof BrokerError)) {
      throw error;
    }
    return { passphrase: undefined, again, fault: error.message };
  }
}
