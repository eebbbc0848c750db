import type { Secret } from '../base/secret.ts';

const leastCharacters = 8;

/**
 * What is wrong with a new passphrase (`vault.passphrase.empty` or `.short`: under 8 characters in NFC), or null. An
 * existing shorter one still opens its vault.
 */
export function passphraseFault(passphrase: Secret): { code: string; message: string } | null {
  if (passphrase.isEmpty) {
    return { code: 'vault.passphrase.empty', message: 'the passphrase is empty' };
  }
  return [...passphrase.reveal().normalize('NFC')].length < leastCharacters
    ? {
        code: 'vault.passphrase.short',
        message: `the passphrase is shorter than ${leastCharacters} characters`,
      }
    : null;
}
