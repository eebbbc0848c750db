import { expect, test } from 'vitest';
import { addedAnswer, addedJson } from './edit-config.ts';

test('what is saved but pending approval says so, and ends with a code that no refusal has', () => {
  expect(addedAnswer('account far', 'lanyard login far', { held: true })).toEqual({
    code: 20,
    stderr:
      'Saved the account far, pending approval: there is no terminal here on which to approve.\nhint: on a terminal, run: lanyard confirm\n',
  });
  expect(addedAnswer('account far', 'lanyard login far', { held: false })).toEqual({
    code: 0,
    stderr: 'Added the account far. Next: lanyard login far\n',
  });
});

test.each([
  [true, 20],
  [false, 0],
])('so does its JSON: pending %s', (held, code) => {
  const answer = addedJson({ contexts: ['a'] }, { held });
  expect([answer.code, JSON.parse(answer.stdout ?? '')]).toEqual([code, { contexts: ['a'], pending: held }]);
});
