import { expect, test } from 'vitest';
import { type Selection, toggled, withAll } from './selection.ts';

const nothing: Selection<number> = new Map();

test('one is selected, and no longer', () => {
  const one = toggled(nothing, 'a', 1, 10);
  const two = toggled(one, 'b', 2, 10);
  expect([one.size, two.size, [...toggled(two, 'a', 1, 10).keys()]]).toEqual([1, 2, ['b']]);
});

test('no more are selected than one call takes; those that are stay, and can be left out', () => {
  const many = Array.from({ length: 7 }, (_, index) => [`${index}`, index] as const);
  const full = withAll(nothing, many, 5);
  expect([...full.keys()]).toEqual(['0', '1', '2', '3', '4']);
  expect(toggled(full, '6', 6, 5).size).toBe(5);
  expect(toggled(full, '0', 0, 5).size).toBe(4);
});
