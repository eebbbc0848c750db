import { expect, test } from 'vitest';
import { hrefOf, routeOf } from './route.ts';

test.each([
  ['/', 'clusters', null],
  ['', 'clusters', null],
  ['/clusters/prod-eu', 'clusters', 'prod-eu'],
  ['/accounts', 'accounts', null],
  ['/nowhere/prod', 'clusters', null],
  ['/clusters/%', 'clusters', '%'],
  ['/activity?cluster=prod', 'activity', null],
])('%s is %s, %s', (path, view, name) => {
  expect(routeOf(path)).toEqual({ view, name });
});

test.each(['prod-eu', 'arn:aws:eks:eu:1:cluster/prod', 'a b#c?d%e'])(
  'the address of %s leads back to it',
  (name) => {
    expect(routeOf(hrefOf('clusters', name).slice(1))).toEqual({ view: 'clusters', name });
  },
);
