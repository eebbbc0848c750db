import { expect, test } from 'vitest';
import { durationWords } from './duration-words.ts';

test.each([
  ['90d', '90 days'],
  ['1h', '1 hour'],
  ['15m', '15 minutes'],
  ['30s', '30 seconds'],
  ['soon', 'soon'],
])('%s: %s', (text, words) => {
  expect(durationWords(text)).toBe(words);
});
