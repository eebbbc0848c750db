import { expect, test } from 'vitest';
import { match } from './match.ts';

const best = (query: string, ...texts: string[]) =>
  texts
    .map((text) => ({ text, score: match(query, text) }))
    .filter(({ score }) => score !== null)
    .sort((one, other) => (other.score ?? 0) - (one.score ?? 0))
    .map(({ text }) => text);

test('a complete name comes before a part of one, a word’s start before its middle', () => {
  expect(best('prod', 'reproduce', 'my-prod', 'prod-eu', 'prod')).toEqual([
    'prod',
    'prod-eu',
    'my-prod',
    'reproduce',
  ]);
});

test('first letters of words are enough', () => {
  expect(best('peu', 'prod-eu', 'prod-us')).toEqual(['prod-eu']);
  expect(best('li prod', 'Log in prod-eu', 'Log out prod-eu')).toContain('Log in prod-eu');
});

test('letters that are strewn all over are no answer', () => {
  expect(match('aei', 'staging-cluster-in-europe-internal')).toBeNull();
  expect(match('xyz', 'prod')).toBeNull();
});
