import type { Secret } from '../base/secret.ts';

const leastCharacters = 8;

/** What is wrong with a new passphrase; null where nothing is. A short one that is there already still opens. */
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
