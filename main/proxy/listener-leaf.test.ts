import { expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { Secret } from '../base/secret.ts';
import { ListenerLeaf } from './listener-leaf.ts';

const day = 86_400_000;
const pair = (certificate: string) => ({ certificate, key: new Secret('key') });

function setUp() {
  const clock = new ManualClock();
  let issued = 0;
  let isBroken = false;
  const leaf = new ListenerLeaf(async ({ certificate }) => {
    if (isBroken) {
      throw new Error('broken');
    }
    issued += 1;
    return { leaf: pair(`${certificate}-${issued}`) };
  }, clock);
  const breaks = () => {
    isBroken = true;
  };
  return { clock, leaf, breaks };
}

test('it is kept for a week, for one that listens as for a start', async () => {
  const { clock, leaf } = setUp();
  expect((await leaf.for(pair('a'))).certificate).toBe('a-1');
  clock.advance(7 * day);
  expect((await leaf.for(pair('a'))).certificate).toBe('a-1');
  expect(await leaf.next(pair('a'))).toBeNull();
  clock.advance(1);
  expect((await leaf.next(pair('a')))?.certificate).toBe('a-2');
  expect(await leaf.next(pair('a'))).toBeNull();
});

test('another CA, and a lock, have another one', async () => {
  const { leaf } = setUp();
  await leaf.for(pair('a'));
  expect((await leaf.next(pair('b')))?.certificate).toBe('b-2');
  leaf.forget();
  expect((await leaf.for(pair('b'))).certificate).toBe('b-3');
});

test('where none can be issued, one that listens keeps its own, and a start fails', async () => {
  const { clock, leaf, breaks } = setUp();
  await leaf.for(pair('a'));
  clock.advance(8 * day);
  breaks();
  expect(await leaf.next(pair('a'))).toBeNull();
  await expect(leaf.for(pair('a'))).rejects.toThrow('broken');
});
