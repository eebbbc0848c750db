import { expect, it } from 'vitest';
import { createUndoTokens } from './undo-tokens.ts';

it('gives each value back once, for a while, and keeps few', () => {
  let now = 0;
  const tokens = createUndoTokens<number>({ boottime: () => now });
  const id = tokens.keep(1);
  expect(tokens.take(id, 'later')).toBe(1);
  expect(() => tokens.take(id, 'later')).toThrow('too long ago');
  const old = tokens.keep(2);
  now = 15 * 60_000 + 1;
  expect(() => tokens.take(old, 'later')).toThrow('too long ago');
  const many = Array.from({ length: 21 }, (_, number) => tokens.keep(number));
  expect(() => tokens.take(many[0] ?? '', 'later')).toThrow('too long ago');
  expect(tokens.take(many[1] ?? '', 'later')).toBe(1);
});
