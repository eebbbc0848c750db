import { expect, it } from 'vitest';
import { imageTarget, matchesImage, parseImagePattern } from '../../image/image-pattern.ts';
import { partsOfPattern, witnessOf } from './pattern-witness.ts';

const witness = (one: string, other: string) => witnessOf(partsOfPattern(one), partsOfPattern(other));

it.each([
  ['*.io', 'a*.io', 'a.io/x'],
  ['a*b.io', 'ab*.io', 'abb.io/x'],
  ['*x.io', '*y.io', null],
  ['x*.io', 'y*.io', null],
  ['*.azurecr.io', 'corp.azurecr.io/team', 'corp.azurecr.io/team'],
  ['*.azurecr.io', 'a.b.azurecr.io', null],
  ['a.io:5000', 'a.io', null],
  ['a.io:5000', '*.io:5000', 'a.io:5000/x'],
  ['gcr.io/a', 'gcr.io/b', null],
  ['gcr.io/a', 'gcr.io/ab', 'gcr.io/ab'],
  ['[::1]:5000', '[::1]:5000/a', '[::1]:5000/a'],
])('%s and %s: %s', (one, other, image) => {
  expect(witness(one, other)).toBe(image);
  expect(witness(other, one) === null).toBe(image === null);
});

/** All patterns of one label of up to four characters, each with each: against the matching itself. */
it('finds an image wherever there is one', () => {
  const longer = (texts: readonly string[], letters: readonly string[]) =>
    texts.flatMap((text) => letters.map((letter) => text + letter));
  const upTo = (length: number, letters: readonly string[]): string[] => {
    const shorter = length === 1 ? [] : upTo(length - 1, letters);
    const last = shorter.filter((text) => text.length === length - 1);
    return shorter.concat(longer(length === 1 ? [''] : last, letters));
  };
  const patterns = upTo(4, ['a', 'b', '*']);
  const images = upTo(6, ['a', 'b']);
  const covered = new Map(
    patterns.map((pattern) => {
      const parsed = parseImagePattern(`${pattern}.io`);
      const matched = images.filter(
        (image) => parsed.ok && matchesImage(parsed.pattern, imageTarget(`${image}.io/x`)),
      );
      return [pattern, new Set(matched)] as const;
    }),
  );
  for (const [one, ofOne] of covered) {
    for (const [other, ofOther] of covered) {
      const found = witness(`${one}.io`, `${other}.io`);
      const isThere = [...ofOne].some((image) => ofOther.has(image));
      if ((found !== null) !== isThere) {
        expect.fail(`${one} and ${other}: ${found}`);
      }
    }
  }
});

it('compares 500 hard patterns with each other', () => {
  const parts = Array.from({ length: 500 }, (_, number) =>
    partsOfPattern(`*${'a*'.repeat(500)}${number}x.io`),
  );
  expect(parts.flatMap((one) => parts.filter((other) => witnessOf(one, other) !== null))).not.toHaveLength(0);
});
