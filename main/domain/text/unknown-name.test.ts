import { expect, test } from 'vitest';
import { unknownName } from './unknown-name.ts';

test('a name that is not there: the nearest ones, else where to look', () => {
  expect(unknownName('cluster', 'prdo', ['prod', 'stage'])).toMatchObject({
    code: 'cluster.unknown',
    message: 'there is no cluster named "prdo"',
    hint: 'did you mean prod?',
  });
  expect(unknownName('account', 'x', [])).toMatchObject({
    hint: 'lanyard account list shows what there is',
  });
});

test('what was typed is shown on one line, and no further than a name goes', () => {
  const { message } = unknownName('account', `${'a'.repeat(5_000)}\n`, []);
  expect(message).toMatch(/^there is no account named "a{128}…"$/);
  expect(unknownName('account', 'a\u202eb', []).message).not.toContain('\u202e');
});
