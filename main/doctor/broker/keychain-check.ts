import { observe } from '../../domain/text/finding.ts';
import type { Keychain } from '../../ports/keychain.ts';
import type { SlotKind } from '../../ports/vault.ts';
import type { Check } from '../check.ts';

/** A name without an entry: searching for it unlocks nothing, so the user isn’t asked. */
const nobody = 'lanyard-doctor';

/** Checks whether the system’s keychain answers. `ways`: the vault’s unlock methods, null where they are unknown. */
export function keychainCheck(
  keychain: Pick<Keychain, 'get'>,
  ways: () => readonly SlotKind[] | null,
): Check {
  return {
    group: 'broker',
    name: 'keychain',
    subject: null,
    run: async () => {
      const found = observe('keychain');
      const answer = await keychain.get('Lanyard', nobody);
      if (answer.ok) {
        return [found.ok('the keychain answers')];
      }
      const known = ways();
      if (known !== null && !known.includes('keychain')) {
        return [found.ok(`not needed: the vault opens without the keychain (${answer.message})`)];
      }
      return [
        found.problem(
          answer.message,
          answer.reason === 'unavailable'
            ? 'start the system’s keyring (gnome-keyring, KWallet), or go without: lanyard passphrase set --without-keychain'
            : 'unlock the keyring, then: lanyard unlock',
        ),
      ];
    },
  };
}
