import { expect, test } from 'vitest';
import { byteText } from './byte-text.ts';

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1024 * 9.99, '9.9 KiB'],
  [1024 * 10, '10 KiB'],
  [1024 ** 2 - 1, '1023 KiB'],
  [5 * 1024 ** 3, '5.0 GiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(byteText(bytes)).toBe(text);
});
