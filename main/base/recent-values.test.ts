import { expect, it } from 'vitest';
import { RecentValues } from './recent-values.ts';

it('gives the same object, and forgets the one that was asked for longest ago', () => {
  const made: string[] = [];
  const recent = new RecentValues<object>(2);
  const of = (key: string) =>
    recent.of(key, () => {
      made.push(key);
      return { key };
    });
  const first = of('a');
  of('b');
  expect(of('a')).toBe(first);
  of('c');
  expect(of('a')).toBe(first);
  of('b');
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});
