import { expect, test } from 'vitest';
import type { SelectedProfile } from '../../../main/contract/ui/calls/inventories.ts';
import type { InventoryView } from '../../../main/contract/ui/state.ts';
import { selectable, sumOf } from './selection.ts';

const profile = (name: string, more: Partial<SelectedProfile> = {}): SelectedProfile => ({
  inventory: 'fleet',
  namespace: 'team',
  name,
  state: 'available',
  context: null,
  ...more,
});
const inventories = (contexts: number, inUse: number) =>
  ({
    fleet: { name: 'fleet', contexts, profiles: { inUse, pending: 1, remade: 0, refused: 0 } },
  }) as unknown as Record<string, InventoryView>;

test('the same name of another inventory is another profile', () => {
  const [one] = selectable(profile('a'));
  const [other] = selectable(profile('a', { inventory: 'other' }));
  expect(one).not.toBe(other);
});

test('what is in use is not added again, and what can’t be used isn’t at all', () => {
  const selection = new Map([
    selectable(profile('a')),
    selectable(profile('b', { state: 'inUse', context: 'b' })),
    selectable(profile('c', { state: 'remade', context: 'c' })),
    selectable(profile('d', { state: 'unusable' })),
  ]);
  const sum = sumOf(selection, inventories(200, 1));
  expect(sum.toAdd.map(({ name }) => name)).toEqual(['a', 'c']);
  expect(sum.toRemove.map(({ name }) => name)).toEqual(['b', 'c']);
  expect([sum.unusable, sum.tooMany]).toEqual([1, []]);
});

test('an inventory that would have more contexts than it may is named', () => {
  const selection = new Map([selectable(profile('a')), selectable(profile('b'))]);
  expect(sumOf(selection, inventories(4, 1)).tooMany).toEqual([]);
  expect(sumOf(selection, inventories(3, 1)).tooMany).toEqual([
    { inventory: 'fleet', contexts: 3, inUse: 2, more: 2 },
  ]);
});
