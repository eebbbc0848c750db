import { expect, it } from 'vitest';
import { callsText } from './call-words.ts';

const none = { handedOut: 0, noCredential: 0, declined: 0, failed: 0 };

it.each([
  [none, 'no calls this hour'],
  [{ ...none, declined: 1 }, '1 call this hour: denied'],
  [{ ...none, handedOut: 1_234 }, '1,234 calls this hour, all issued'],
  [{ ...none, handedOut: 20, declined: 5, failed: 1 }, '26 calls this hour: 20 issued, 5 denied, 1 failed'],
  [{ ...none, noCredential: 2, failed: 1 }, '3 calls this hour: 2 no credential, 1 failed'],
])('%j are: %s', (counts, text) => {
  expect(callsText(counts, 'this hour')).toBe(text);
});

it('names no time where there is none to name', () => {
  expect(callsText({ ...none, handedOut: 2, failed: 1 })).toBe('3 calls: 2 issued, 1 failed');
});
