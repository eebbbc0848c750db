import { expect, test } from 'vitest';
import { editedField, fixHref } from './fix-href.ts';
import { routeOf } from './route.ts';

test.each([
  [['accounts', 'a/b', 'oidc', 'redirectUri'], '#/accounts/a%2Fb?edit=redirectUri'],
  [['accounts', 'corp'], '#/accounts/corp?edit='],
  [['clusters', 'prod', 'server'], '#/clusters/prod'],
  [['lock', 'afterIdle'], null],
  [['accounts'], null],
  [[], null],
])('%j is fixed at %s', (path, href) => {
  expect(fixHref(path)).toBe(href);
});

test('the address leads to the account, and to the field', () => {
  const href = fixHref(['accounts', 'a/b', 'oidc', 'redirectUri']) ?? '';
  expect(routeOf(href.slice(1))).toEqual({ view: 'accounts', name: 'a/b' });
  expect(editedField(href.split('?')[1] ?? '')).toBe('redirectUri');
  expect(editedField('')).toBe(null);
});
