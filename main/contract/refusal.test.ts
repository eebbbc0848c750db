import { expect, test } from 'vitest';
import { inOneLine } from './refusal.ts';

test.each([
  ['corp needs a login', 'lanyard login corp', 'corp needs a login: lanyard login corp'],
  ['the disk is full', 'free some space', 'the disk is full; free some space'],
  ['it is unchanged', undefined, 'it is unchanged'],
  ['it is unchanged', null, 'it is unchanged'],
])('in one line a command stands after a colon: %s, %s', (message, hint, text) => {
  expect(inOneLine({ message, hint })).toBe(text);
});
