import { replaceInvisible } from '../../contract/invisible.ts';
import type { KeychainFound } from '../../ports/keychain.ts';

export type KeychainFailure = Extract<KeychainFound, { ok: false }>;

/** The systems' words for an existing, but locked keychain. */
const lockedWords = /locked|interaction is not allowed|user canceled|dismissed/i;
const noBusWords = /d-?bus|org\.freedesktop\.secrets|secret service/i;
const notInstalled = new Set(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED']);

/** What keytar, or loading it, threw, in words that the user can act on. */
export function keychainFailure(error: unknown): KeychainFailure {
  const text = error instanceof Error ? error.message : '';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (notInstalled.has(code)) {
    return unavailable('keychain support is not installed (keytar, on Linux also libsecret)');
  }
  if (lockedWords.test(text)) {
    return { ok: false, reason: 'locked', message: 'the keychain is locked' };
  }
  return noBusWords.test(text)
    ? unavailable('no Secret Service can be reached over D-Bus')
    : unavailable(`the keychain can’t be used: ${harmless(text)}`);
}

function unavailable(message: string): KeychainFailure {
  return { ok: false, reason: 'unavailable', message };
}

/** A foreign library's words: one short line. */
function harmless(text: string): string {
  const line = replaceInvisible(text, () => ' ').replace(/\s+/g, ' ');
  return line.trim().slice(0, 200) || 'no reason was given';
}
