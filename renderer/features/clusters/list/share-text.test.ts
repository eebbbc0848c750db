import { expect, it } from 'vitest';
import { shareText } from './share-text.ts';

it.each([
  [0, '0.00%'],
  [0.00005, 'less than 0.01%'],
  [0.0001, '0.01%'],
  [0.0123, '1.23%'],
  [0.5, '50%'],
  [1, '100%'],
])('%s is %s', (share, text) => {
  expect(shareText(share)).toBe(text);
});
