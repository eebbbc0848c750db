import { expect, test } from 'vitest';
import { counted } from './count-text.ts';

test.each<[number, string, string]>([
  [0, 'step', '0 steps'],
  [1, 'step', '1 step'],
  [2, 'new registry', '2 new registries'],
  [3, 'key', '3 keys'],
  [1240, 'request', '1,240 requests'],
])('a noun agrees with its number: %i %s', (count, one, text) => {
  expect(counted(count, one)).toBe(text);
});
