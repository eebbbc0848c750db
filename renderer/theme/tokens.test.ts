import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { markColors } from '../../main/contract/config/mark-colors.ts';
import { colourPairs, contrast } from './contrast.ts';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const pairs = colourPairs(css);
const grounds = ['--background', '--panel', '--side', '--hover', '--accent-soft'];

/** [foreground, background]. */
const texts: [string, string][] = [
  ...['--text', '--muted', '--faint'].flatMap((text) =>
    grounds.map((ground): [string, string] => [text, ground]),
  ),
  ...['--accent', '--good', '--soon', '--bad'].flatMap((text) =>
    grounds.map((ground): [string, string] => [text, ground]),
  ),
  ...['--soon-soft', '--bad-soft'].flatMap((ground): [string, string][] => [
    ['--text', ground],
    ['--muted', ground],
    ['--accent', ground],
  ]),
  ['--text', '--good-soft'],
  ['--soon', '--soon-soft'],
  ['--bad', '--bad-soft'],
  ['--on-accent', '--accent'],
  ['--on-bad', '--bad'],
];
const ownMarks = markColors.map((color) => `--mark-${color}`);
const marks: [string, string][] = [
  ...['--edge', '--focus', '--good', '--soon', '--bad', '--accent'],
  ...ownMarks,
].flatMap((mark) => grounds.map((ground): [string, string] => [mark, ground]));

function ratio([one, other]: [string, string], theme: 'light' | 'dark'): number {
  const [first, second] = [pairs.get(one), pairs.get(other)];
  if (!first || !second) {
    throw new Error(`tokens.css has no pair of ${one} or ${other}`);
  }
  return contrast(first[theme], second[theme]);
}

const tooLow = (all: [string, string][], theme: 'light' | 'dark', least: number) =>
  all.flatMap((pair) => {
    const value = ratio(pair, theme);
    return value < least ? [`${pair.join(' on ')}: ${value.toFixed(2)}`] : [];
  });

test.each(['light', 'dark'] as const)('every text has 4.5:1 on its ground, %s', (theme) => {
  expect(tooLow(texts, theme, 4.5)).toEqual([]);
});

test.each(['light', 'dark'] as const)('every mark and edge has 3:1 on its ground, %s', (theme) => {
  expect(tooLow(marks, theme, 3)).toEqual([]);
});

test('the computation agrees with known values: black on white, and sRGB’s mid grey', () => {
  expect(contrast('oklch(0% 0 0)', 'oklch(100% 0 0)')).toBeCloseTo(21, 1);
  // #777777 on white: 4.48.
  expect(contrast('oklch(56.93% 0 0)', 'oklch(100% 0 0)')).toBeCloseTo(4.48, 1);
});

test('with forced colours no token keeps its own colour', () => {
  const forced = css.slice(css.indexOf('@media (forced-colors: active)'));
  const missing = [...pairs.keys()].filter((name) => !forced.includes(`${name}:`));
  expect(missing).toEqual([]);
  expect(forced).not.toContain('oklch');
});
