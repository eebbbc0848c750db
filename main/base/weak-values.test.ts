import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { WeakValues } from './weak-values.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('an object stays the same while something refers to it, and is not kept for later', async () => {
  const values = new WeakValues<{ token: string }>();
  let made = 0;
  const of = (token: string) =>
    values.of('key', () => {
      made += 1;
      return { token };
    });
  const first = of('a');
  collect();
  expect(of('b')).toBe(first);
  expect(made).toBe(1);
  const gone = (() => {
    const other = new WeakValues<{ token: string }>();
    other.of('key', () => ({ token: 'a' }));
    return other;
  })();
  // References of a WeakRef are strong until the end of the turn.
  await new Promise(setImmediate);
  collect();
  expect(gone.of('key', () => ({ token: 'new' })).token).toBe('new');
});
