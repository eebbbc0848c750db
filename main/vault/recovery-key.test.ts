import { describe, expect, it } from 'vitest';
import { Secret } from '../base/secret.ts';
import { newRecoveryKey, parseRecoveryKey } from './recovery-key.ts';

const parsed = (text: string) => parseRecoveryKey(new Secret(text))?.toString('hex') ?? null;

/** Crockford's alphabet in order, with its checksum. */
const onPaper = '0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV-WXYZ-QYQM';

describe('a recovery key', () => {
  it('is 160 random bits in nine groups of four, without letters that look alike', () => {
    const keys = Array.from({ length: 200 }, () => newRecoveryKey().reveal());
    expect(new Set(keys.map(parsed)).size).toBe(200);
    for (const key of keys) {
      expect(key).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){8}[0-9A-HJKMNP-TV-Z]{4}$/);
      expect(parsed(key)).toMatch(/^[0-9a-f]{40}$/);
    }
  });

  it('is Crockford’s base32, and stays what it is: people have it on paper', () => {
    expect(parsed(onPaper)).toBe('00443214c74254b635cf84653a56d7c675be77df');
  });

  it.each<[string, (key: string) => string]>([
    ['in small letters', (key) => key.toLowerCase()],
    ['without dashes', (key) => key.replaceAll('-', '')],
    ['with spaces, at its ends, too', (key) => ` ${key.replaceAll('-', '  ')}\t`],
    ['with the dashes of a text program', (key) => key.replaceAll('-', '–')],
    ['with I and l for 1, o for 0', (key) => key.replaceAll('1', 'l').replace('l', 'I').replaceAll('0', 'o')],
  ])('is known again %s', (_, change) => {
    for (let tries = 0; tries < 50; tries += 1) {
      const key = newRecoveryKey().reveal();
      expect(parsed(change(key))).toBe(parsed(key));
    }
  });

  it('with any one character wrong, two swapped, one missing or one more is seen to be none', () => {
    const key = onPaper.replaceAll('-', '');
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === 'X' ? 'Y' : 'X';
      expect(parsed(key.slice(0, at) + other + key.slice(at + 1)), `character ${at}`).toBeNull();
      expect(parsed(key.slice(0, at) + key.slice(at + 1))).toBeNull();
      expect(parsed(`${key.slice(0, at)}X${key.slice(at)}`)).toBeNull();
      const swapped = key.slice(0, at) + (key[at + 1] ?? '') + key[at] + key.slice(at + 2);
      if (swapped !== key) {
        expect(parsed(swapped)).toBeNull();
      }
    }
    for (const text of ['', 'U'.repeat(36), 'correct horse battery staple', '0'.repeat(1_000_000)]) {
      expect(parsed(text)).toBeNull();
    }
  });
});
