import { expect, it } from 'vitest';
import type { Health } from './health.ts';
import { countTodos, type Needing, needing } from './needs.ts';
import type { ClusterView } from './state.ts';

const of = (name: string, account: string, state: ClusterView['state'], health: Health) => ({
  of: { name, account, state, isPending: false, origin: null },
  health,
});
/** Pending: a cluster, its account alone, a registry, a profile of an inventory. */
const pending = (name: string, more: Partial<Needing> = {}) => ({
  of: { name, account: 'corp', state: 'held' as const, isPending: true, origin: null, ...more },
  health: 'need' as const,
});
const profile = (name: string, inventory: string) =>
  pending(name, { origin: { inventory, namespace: 'n', name } });
const registry = (name: string) => {
  const { of: each, health } = pending(name);
  const { origin: _, ...rest } = each;
  return { of: rest, health };
};

it('counts what there is to do, not the clusters that it is for', () => {
  const all = [
    of('a', 'corp', 'loginNeeded', 'need'),
    of('b', 'corp', 'loginNeeded', 'need'),
    of('c', 'bot', 'secretMissing', 'need'),
    of('f', 'eks', 'failing', 'bad'),
    of('g', 'eks', 'failing', 'bad'),
    of('h', 'lab', 'rejecting', 'bad'),
    of('i', 'lab', 'rejecting', 'bad'),
    of('j', 'edge', 'ready', 'soon'),
    of('k', 'edge', 'ready', 'good'),
  ];
  expect(countTodos(all, needing)).toBe(5);
  expect(countTodos(all, ['bad'])).toBe(3);
  expect(countTodos(all, ['soon'])).toBe(1);
  expect(countTodos([], needing)).toBe(0);
});

it.each<[string, { of: Needing; health: Health }[], number]>([
  ['each pending cluster', [pending('a'), pending('b'), pending('c')], 3],
  [
    'a pending account once, whatever it is for',
    [pending('a', { isPending: false }), pending('b', { isPending: false })],
    1,
  ],
  ['all pending profiles of an inventory once', [profile('a', 'fleet'), profile('b', 'fleet')], 1],
  ['those of another inventory separately', [profile('a', 'fleet'), profile('b', 'edge'), pending('c')], 3],
  [
    'each pending registry, and not for a cluster of its name',
    [pending('a'), registry('a'), registry('b')],
    3,
  ],
])('counts %s', (_, all, count) => {
  expect(countTodos(all, needing)).toBe(count);
});
