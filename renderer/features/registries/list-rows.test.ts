import { expect, it } from 'vitest';
import type { RegistryView } from '../../../main/contract/ui/state.ts';
import { movedTo, registryRows } from './list-rows.ts';

const password = {
  kind: 'password',
  issuedAt: null,
  expiresAt: null,
  renewsAt: null,
  trouble: null,
  generation: 0,
} as const;
const of = (name: string, more: Partial<RegistryView> = {}) =>
  ({
    name,
    matchImages: [`${name}.example`],
    account: 'bot',
    kind: 'registry',
    state: 'ready',
    problem: null,
    credential: password,
    ...more,
  }) as RegistryView;

const all = {
  b: of('b'),
  a10: of('a10'),
  a9: of('a9', { account: 'ops' }),
  hub: of('hub', { state: 'secretMissing', credential: null, matchImages: ['docker.io'] }),
};
const found = (search: string) => registryRows(all, search, 0).map(({ registry }) => registry.name);

it('has what needs the user first, then names as people sort them', () => {
  expect(found('')).toEqual(['hub', 'a9', 'a10', 'b']);
});

it.each([
  ['docker', ['hub']],
  ['OPS', ['a9']],
  ['bot a10', ['a10']],
  ['nothing', []],
])('finds %s in names, patterns and accounts', (search, expected) => {
  expect(found(search)).toEqual(expected);
});

it('moves from one to another, and stays within', () => {
  const rows = registryRows(all, '', 0);
  expect(movedTo(rows, null, 1)).toBe('hub');
  expect(movedTo(rows, 'hub', 1)).toBe('a9');
  expect(movedTo(rows, 'hub', -1)).toBe('hub');
  expect(movedTo(rows, 'hub', Number.POSITIVE_INFINITY)).toBe('b');
  expect(movedTo([], 'hub', 1)).toBeNull();
});
