import { createHash, randomBytes } from 'node:crypto';
import { Secret } from '../base/secret.ts';

/** 160 bits: beyond guessing, so that no slow derivation is needed, and short enough to copy by hand. */
const recoveryKeyBytes = 20;
/** Crockford’s base32: without I, L, O and U, which are easily mistaken. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const keyCharacters = (recoveryKeyBytes * 8) / 5;
const checkCharacters = 4;
const groupCharacters = 4;

/** A new recovery key for the user to write down: nine groups of four characters, the last one a checksum. */
export function newRecoveryKey(): Secret {
  const key = randomBytes(recoveryKeyBytes);
  const text = encode(key) + checkOf(key);
  key.fill(0);
  return new Secret((text.match(new RegExp(`.{${groupCharacters}}`, 'g')) ?? []).join('-'));
}

/**
 * Decodes what the user typed, to 20 bytes: case, spaces and dashes don’t count, I and L are read as 1, O as 0. Null
 * where a character is wrong, missing or too many. One random slip in a million passes the checksum.
 */
export function parseRecoveryKey(typed: Secret): Buffer | null {
  const text = typed
    .reveal()
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replace(/[IL]/g, '1')
    .replace(/O/g, '0');
  if (text.length !== keyCharacters + checkCharacters || [...text].some((each) => !alphabet.includes(each))) {
    return null;
  }
  const key = decode(text.slice(0, keyCharacters));
  return checkOf(key) === text.slice(keyCharacters) ? key : null;
}

function checkOf(key: Buffer): string {
  const digest = createHash('sha256').update('lanyard recovery key').update(key).digest();
  return encode(digest.subarray(0, 5)).slice(0, checkCharacters);
}

/** Five bits a character, the highest first; the number of bits must be a multiple of five. */
function encode(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('');
}

function decode(text: string): Buffer {
  const bits = [...text].map((each) => alphabet.indexOf(each).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}
