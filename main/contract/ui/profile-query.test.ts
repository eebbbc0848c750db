import { expect, test } from 'vitest';
import type { ProfileQuery, ProfileRowView } from './calls/inventories.ts';
import { profilesPage, selectedProfiles } from './profile-query.ts';

const row = (name: string, more: Partial<ProfileRowView> = {}): ProfileRowView => ({
  inventory: 'fleet',
  namespace: 'team',
  name,
  displayName: null,
  clusterset: null,
  location: null,
  version: null,
  manager: null,
  state: 'available',
  health: 'good',
  provider: 'google',
  account: 'corp',
  server: `https://${name}.example.com`,
  context: null,
  problem: null,
  isExpectedServer: true,
  ignored: 0,
  ...more,
});

const rows = [
  row('a', { clusterset: 'prod', displayName: 'The First' }),
  row('b', { clusterset: 'dev', location: 'eu-west' }),
  row('c', { state: 'pending', context: 'see', account: 'other' }),
  row('d', { clusterset: 'prod', namespace: 'data', location: 'eu-west' }),
  row('e', { clusterset: 'dev', state: 'unusable', account: null, provider: null, server: null }),
];

const find = (query: Partial<ProfileQuery>) =>
  selectedProfiles(rows, { search: '', filters: {}, ...query }, 10).profiles.map(({ name }) => name);
const page = (more: Partial<Parameters<typeof profilesPage>[1]> = {}) =>
  profilesPage(rows, { search: '', filters: {}, group: null, offset: 0, most: 10, ...more });

test.each<[string, Partial<ProfileQuery>, string]>([
  ['all', {}, 'a b c d e'],
  ['a word, in any case', { search: 'first' }, 'a'],
  ['each word, wherever', { search: ' eu-west  PROD ' }, 'd'],
  ['a context', { search: 'see' }, 'c'],
  ['a whole name', { search: 'fleet:data/d' }, 'd'],
  ['a filter', { filters: { clusterset: ['prod'] } }, 'a d'],
  ['several values of one', { filters: { clusterset: ['prod', ''] } }, 'a c d'],
  ['several filters', { filters: { clusterset: ['prod'], namespace: ['team'] } }, 'a'],
  ['a filter and a word', { filters: { clusterset: ['dev'] }, search: 'eu' }, 'b'],
  ['none', { search: 'first second' }, ''],
])('%s', (_, query, names) => {
  expect(find(query).join(' ')).toBe(names);
});

test('those that are selected: so many at most, and how many there are', () => {
  const found = selectedProfiles(rows, { search: '', filters: {} }, 2);
  expect(found).toEqual({
    profiles: [
      { inventory: 'fleet', namespace: 'team', name: 'a', state: 'available', context: null },
      { inventory: 'fleet', namespace: 'team', name: 'b', state: 'available', context: null },
    ],
    matching: 5,
  });
});

test('a part of the list', () => {
  const { rows: part, total, matching, groups } = page({ search: 'team', offset: 1, most: 2 });
  expect(part.map(({ name }) => name)).toEqual(['b', 'c']);
  expect([total, matching, groups]).toEqual([5, 4, []]);
});

test('in groups: those that state nothing come last, and a part goes over their ends', () => {
  const { rows: part, groups } = page({ group: 'clusterset', offset: 1, most: 3 });
  expect(groups).toEqual([
    { value: 'dev', count: 2 },
    { value: 'prod', count: 2 },
    { value: '', count: 1 },
  ]);
  expect(part.map(({ name }) => name)).toEqual(['e', 'a', 'd']);
});

test('in groups by state: what is in use and what needs the user come first', () => {
  expect(page({ group: 'state' }).groups.map(({ value }) => value)).toEqual([
    'pending',
    'available',
    'unusable',
  ]);
});

test('values are of all profiles, accounts of the matching ones; the commonest come first', () => {
  const { values, accounts } = page({ search: 'eu-west' });
  expect(values['clusterset']).toEqual([
    { value: 'dev', count: 2 },
    { value: 'prod', count: 2 },
    { value: '', count: 1 },
  ]);
  expect(accounts).toEqual([{ value: 'corp', count: 2 }]);
});

test('a hub’s thousands of values are counted once for each list, and sorted fast', () => {
  expect(page().values).toBe(page({ search: 'a', group: 'location' }).values);
  const many = Array.from({ length: 3_000 }, (_, index) => row(`c-${index}`, { location: `l${index}` }));
  const query = { search: '', filters: {}, group: 'location' as const, offset: 0, most: 3 };
  expect(profilesPage(many, query).rows.map(({ location }) => location)).toEqual(['l0', 'l1', 'l10']);
});
