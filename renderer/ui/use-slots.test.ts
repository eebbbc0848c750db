import { expect, test } from 'vitest';
import { withSlots } from './use-slots.ts';

test.each<[string, [string, number][], string[], number[]]>([
  ['the first rows', [], ['a', 'b', 'c'], [0, 1, 2]],
  [
    'the same rows',
    [
      ['a', 0],
      ['b', 1],
    ],
    ['a', 'b'],
    [0, 1],
  ],
  [
    'rows in another order',
    [
      ['a', 0],
      ['b', 1],
    ],
    ['b', 'a'],
    [1, 0],
  ],
  [
    'other rows',
    [
      ['a', 0],
      ['b', 1],
    ],
    ['c', 'd'],
    [0, 1],
  ],
  [
    'a row that came between',
    [
      ['a', 0],
      ['b', 1],
    ],
    ['a', 'c', 'b'],
    [0, 2, 1],
  ],
  [
    'a row in the place of one that left',
    [
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ],
    ['b', 'c', 'd'],
    [1, 2, 3],
  ],
  [
    'more rows, all other',
    [
      ['a', 4],
      ['b', 2],
    ],
    ['c', 'd', 'e'],
    [4, 2, 5],
  ],
  ['no rows', [['a', 0]], [], []],
])('%s', (_, before, keys, slots) => {
  expect([...withSlots(new Map(before), keys)]).toEqual(keys.map((key, index) => [key, slots[index]]));
});
