import { expect, it } from 'vitest';
import { whoWaits } from './wanted-words.ts';

it.each([
  [[['kubectl', 'zsh', 'code', 'systemd']], 1, 'kubectl (from zsh in code) waits'],
  [[['kubectl', 'make'], ['helm']], 4, 'kubectl (from make) and 3 more wait'],
  [[], 1, 'A program waits'],
])('%j, %i: %s', (callers, waiting, text) => {
  expect(whoWaits({ callers, waiting })).toBe(text);
});
