import { expect, it } from 'vitest';
import type { Health } from '../../../main/contract/ui/health.ts';
import type { ClusterView } from '../../../main/contract/ui/state.ts';
import { sharedNeeds } from './shared-needs.ts';

type State = ClusterView['state'];

const of = (name: string, account: string, state: State, health: Health = 'need') => ({
  of: { name, account, state, kind: 'oidc' as const },
  health,
});

it('tells what one login or secret does for several, by account', () => {
  const { needs, names } = sharedNeeds([
    of('a', 'corp', 'loginNeeded'),
    of('b', 'bot', 'secretMissing'),
    of('c', 'corp', 'interrupted'),
    of('d', 'bot', 'expired'),
    of('e', 'corp', 'ready', 'good'),
  ]);
  expect(needs.map(({ of: { name }, remedy, count }) => `${name}: ${remedy} ${count}`)).toEqual([
    'a: logIn 2',
    'b: setSecret 2',
  ]);
  expect([...names]).toEqual(['a', 'c', 'b', 'd']);
});

it('is silent about one alone, and about what the account can’t help', () => {
  const { needs, names } = sharedNeeds([
    of('a', 'corp', 'loginNeeded'),
    of('b', 'ops', 'held'),
    of('c', 'ops', 'held'),
    of('d', 'bot', 'failing', 'bad'),
    of('e', 'bot', 'failing', 'bad'),
  ]);
  expect(needs).toEqual([]);
  expect(names.size).toBe(0);
});
