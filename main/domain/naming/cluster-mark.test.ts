import { expect, test } from 'vitest';
import { calledInQuestion, clusterMark } from './cluster-mark.ts';

const rules = [
  { match: 'prod*', color: 'red' },
  { match: 'env=prod*', color: 'orange', text: 'Production' },
  { match: '*-stage-*', color: 'yellow' },
  { match: 'Zahlungen', color: 'blue' },
] as const;
const mark = (name: string, called = {}) => clusterMark(name, called, [...rules]);

test('the first rule that matches counts, and says its pattern without the star', () => {
  expect(mark('prod-eu', { labels: { env: 'production' } })).toEqual({ color: 'red', text: 'prod' });
  expect(mark('eu-stage-1')).toEqual({ color: 'yellow', text: 'stage' });
  expect(mark('lab')).toBeNull();
  expect(clusterMark('prod', {}, undefined)).toBeNull();
});

test('a display name, an alias and a label are matched too', () => {
  expect(mark('pay', { displayName: 'Zahlungen' })?.color).toBe('blue');
  expect(mark('pay', { aliases: ['p', 'prod-pay'] })?.color).toBe('red');
  expect(mark('pay', { labels: { env: 'production' } })).toEqual({ color: 'orange', text: 'Production' });
  expect(mark('pay', { labels: { env: 'test' } })).toBeNull();
  expect(clusterMark('pay', {}, [{ match: 'constructor=*', color: 'red' }])).toBeNull();
});

test.for([
  ['*', 'anything', true],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['*eu*1', 'prod-eu-1', true],
  ['*eu*u', 'prod-eu', false],
  ['prod', 'prod-eu', false],
  ['прод*', 'прод-1', true],
  ['生产*', '生产-集群', true],
  // No pattern is more than its letters.
  ['a.c', 'abc', false],
] as const)('%s on %s: %s', ([match, name, is]) => {
  expect(clusterMark(name, {}, [{ match, color: 'red' }]) !== null).toBe(is);
});

test('many stars are answered at once', () => {
  expect(clusterMark('a'.repeat(128), {}, [{ match: `${'a*'.repeat(100)}b`, color: 'red' }])).toBeNull();
});

test('a question’s mark is by the name alone: a page can give a cluster another’s labels', () => {
  const called = { displayName: 'Zahlungen', aliases: ['prod-pay'], labels: { env: 'production' } };
  expect(calledInQuestion('pay', called, [...rules])).toEqual({ displayName: 'Zahlungen', mark: null });
  expect(calledInQuestion('prod-eu', {}, [...rules])).toEqual({
    ...{ displayName: null, mark: { color: 'red', text: 'prod' } },
  });
});
