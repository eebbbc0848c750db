import { expect, test } from 'vitest';
import { GatheredBytes } from './gathered-bytes.ts';

test('pieces of all sizes are one buffer, in their order', () => {
  const gathered = new GatheredBytes();
  const sent = Buffer.from(Array.from({ length: 20_000 }, (_, index) => index % 251));
  for (let [at, size] = [0, 0]; at < sent.length; at += size, size = (size * 7 + 1) % 900) {
    gathered.add(sent.subarray(at, at + size));
  }
  expect(gathered.length).toBe(sent.length);
  expect(gathered.take().equals(sent)).toBe(true);
  gathered.add(Buffer.from('next'));
  expect(gathered.take().toString()).toBe('next');
  expect(gathered.take()).toHaveLength(0);
});
