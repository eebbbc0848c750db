import { describe, expect, test } from 'vitest';
import { lostByUndo } from './lost-by-undo.ts';

const exec = {
  exec: {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: '/h/bin/lanyard',
    args: ['kube-credential', '--account', 'a'],
  },
};
const base = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'c', cluster: { server: 'https://c' } }],
  contexts: [
    { name: 'x', context: { cluster: 'c', user: 'u' } },
    { name: 'y', context: { cluster: 'c', user: 'u' } },
  ],
  users: [{ name: 'u', user: { token: 'secret-of-u' } }],
  'current-context': 'x',
};
/** As Lanyard's edit leaves it. */
const edited = {
  ...base,
  users: [
    { name: 'u', user: exec },
    { name: 'u@y', user: exec },
  ],
  contexts: [base.contexts[0], { name: 'y', context: { cluster: 'c', user: 'u@y' } }],
};
const lost = (now: object) => lostByUndo(JSON.stringify(base), JSON.stringify(now), '/k');

describe('what going back would lose', () => {
  test('nothing of what Lanyard’s own edit made', () => {
    expect(lost(edited)).toEqual([]);
  });

  test.each<[string, object, string[]]>([
    ['another current context', { 'current-context': 'y' }, ['the current context is x again, not y']],
    [
      'a namespace',
      { contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', namespace: 'n' } }, edited.contexts[1]] },
      ['the context x is again as it was'],
    ],
    [
      'a new user, cluster and context',
      {
        clusters: [...base.clusters, { name: 'd', cluster: { server: 'https://d' } }],
        contexts: [...edited.contexts, { name: 'z', context: { cluster: 'd', user: 'v' } }],
        users: [...edited.users, { name: 'v', user: { token: 'secret-of-v' } }],
      },
      ['the cluster d goes', 'the context z goes', 'the user v goes'],
    ],
    [
      'a user that somebody changed once more',
      { users: [{ name: 'u', user: { token: 'secret-of-w' } }, edited.users[1]] },
      ['the user u is again as it was'],
    ],
    ['a context that was deleted', { contexts: [edited.contexts[0]] }, ['the context y comes back']],
    [
      'another server',
      { clusters: [{ name: 'c', cluster: { server: 'https://other' } }] },
      ['the cluster c is again as it was'],
    ],
  ])('%s', (_, change, expected) => {
    expect(lost({ ...edited, ...change })).toEqual(expected);
  });

  test('isn’t known of a text that is no kubeconfig', () => {
    expect(lostByUndo(JSON.stringify(base), '{', '/k')).toBeNull();
  });
});
