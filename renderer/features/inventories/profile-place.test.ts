import { expect, test } from 'vitest';
import { routeOf } from '../../navigation/route.ts';
import { placeOf, profileHref, settingsHref } from './profile-place.ts';

const known = (name: string) => ['fleet', 'of/several/parts'].includes(name);
const nameIn = (href: string) => routeOf(href.slice(1)).name;

test.each<[string | null, object]>([
  [null, { kind: 'all' }],
  ['fleet', { kind: 'inventory', inventory: 'fleet' }],
  ['gone', { kind: 'inventory', inventory: 'gone' }],
  ['of/several/parts', { kind: 'inventory', inventory: 'of/several/parts' }],
  ['fleet/+settings', { kind: 'settings', inventory: 'fleet' }],
  ['fleet/team/eu', { kind: 'profile', profile: { inventory: 'fleet', namespace: 'team', name: 'eu' } }],
  [
    'of/several/parts/team/eu',
    { kind: 'profile', profile: { inventory: 'of/several/parts', namespace: 'team', name: 'eu' } },
  ],
])('%s', (name, place) => {
  expect(placeOf(name, known)).toEqual(place);
});

test.each(['fleet', 'of/several/parts', 'a b#c'])('the addresses of %s lead back to it', (inventory) => {
  const profile = { inventory, namespace: 'team', name: 'eu' };
  expect(placeOf(nameIn(profileHref(profile, 'q=x')), known)).toEqual({ kind: 'profile', profile });
  expect(placeOf(nameIn(settingsHref(inventory)), known)).toEqual({ kind: 'settings', inventory });
});
