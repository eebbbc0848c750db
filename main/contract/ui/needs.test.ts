import { expect, it } from 'vitest';
import type { Health } from './health.ts';
import { countTodos, needing } from './needs.ts';
import type { ClusterView } from './state.ts';

const of = (name: string, account: string, state: ClusterView['state'], health: Health) => ({
  of: { name, account, state },
  health,
});

it('counts what there is to do, not the clusters that it is for', () => {
  const all = [
    of('a', 'corp', 'loginNeeded', 'need'),
    of('b', 'corp', 'loginNeeded', 'need'),
    of('c', 'bot', 'secretMissing', 'need'),
    of('d', 'bot', 'held', 'need'),
    of('e', 'new', 'held', 'need'),
    of('f', 'eks', 'failing', 'bad'),
    of('g', 'eks', 'failing', 'bad'),
    of('h', 'lab', 'rejecting', 'bad'),
    of('i', 'lab', 'rejecting', 'bad'),
    of('j', 'edge', 'ready', 'soon'),
    of('k', 'edge', 'ready', 'good'),
  ];
  expect(countTodos(all, needing)).toBe(6);
  expect(countTodos(all, ['bad'])).toBe(3);
  expect(countTodos(all, ['soon'])).toBe(1);
  expect(countTodos([], needing)).toBe(0);
});
