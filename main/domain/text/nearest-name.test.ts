import { expect, test } from 'vitest';
import { didYouMean, editDistance, nearestNames } from './nearest-name.ts';

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['prod', 'prdo', 1],
  ['prod', 'prod', 0],
])('%s is %s away from %s', (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
});

test.each([
  ['prdo', ['prod', 'staging', 'dev'], ['prod']],
  ['PROD', ['prod'], ['prod']],
  ['stag', ['prod', 'staging'], ['staging']],
  ['prod-eu-west', ['prod', 'dev'], ['prod']],
  ['zzz', ['prod', 'staging'], []],
  ['prod', [], []],
  ['prod1', ['prod2', 'prod3', 'prod', 'prod4'], ['prod', 'prod2', 'prod3']],
])('for %s among %j it offers %j', (wanted, known, offered) => {
  expect(nearestNames(wanted, known)).toEqual(offered);
});

test('the offer ends a message, and is nothing where no name is near', () => {
  expect(didYouMean('crop', ['corp', 'ops'])).toBe(' (did you mean corp?)');
  expect(didYouMean('crop', ['staging'])).toBe('');
});
