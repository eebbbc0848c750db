import { expect, test } from 'vitest';
import { moved } from './list-moves.ts';

test.each([
  ['ArrowDown', -1, 0],
  ['ArrowDown', 0, 1],
  ['ArrowDown', 4, 4],
  ['ArrowUp', -1, 4],
  ['ArrowUp', 0, 0],
  ['PageDown', 0, 3],
  ['PageUp', 4, 1],
  ['Home', 3, 0],
  ['End', 0, 4],
  ['a', 0, null],
] as const)('%s leads from %i to %s among five', (key, from, to) => {
  expect(moved(key, from, 5, 3)).toBe(to);
});

test('an empty list has nowhere to go', () => {
  expect(moved('ArrowDown', -1, 0)).toBeNull();
});
