import { describe, expect, it } from 'vitest';
import type { ImportPlan, PlannedCluster } from '../../domain/import/import-plan.ts';
import type { KubeUser, MergedKubeconfig } from '../../domain/import/kubeconfig.ts';
import { changesInPlace } from './in-place.ts';

/** `context cluster user [file of the context]`; a `-` before it: it is left out. */
function changes(rows: readonly string[], userFiles: Record<string, string> = {}) {
  const contexts = rows.map((row) => {
    const [names = '', cluster = '', user = '', file = '/k'] = row.replace(/^-/, '').split(' ');
    // `y=x`: the context y, whose cluster is that of x.
    const [context = '', lanyard = context] = names.split('=');
    return { context, lanyard, cluster, user, file, left: row.startsWith('-') };
  });
  const users = [...new Set(contexts.map(({ user }) => user))];
  const neededBy = (user: string) =>
    contexts.filter((each) => each.user === user && each.left).map(({ context }) => context);
  const plan = {
    users: users.map((user) => ({ user, neededBy: neededBy(user) })),
    clusters: contexts.map(
      ({ context, lanyard, cluster, user, file, left }): PlannedCluster => ({
        context,
        nameInFile: context,
        cluster,
        user,
        file,
        line: 1,
        server: `https://${cluster}`,
        notes: [],
        becomes: left
          ? { left: 'so' }
          : {
              cluster: `L-${lanyard}`,
              account: `A-${user}`,
              exists: false,
              replaces: null,
              sharedWith: null,
              namespace: null,
              value: { server: `https://${cluster}`, account: `A-${user}` },
            },
      }),
    ),
  } as unknown as ImportPlan;
  const merged = {
    users: new Map(
      users.map((user) => {
        const origin = { file: userFiles[user] ?? '/k', line: 1, name: user };
        return [user, { name: user, origin } as KubeUser];
      }),
    ),
  } as unknown as MergedKubeconfig;
  return Object.fromEntries(changesInPlace(plan, merged, (account, cluster) => ({ [account]: cluster })));
}

const setUser = (user: string, cluster: string) => ({
  kind: 'setUserExec',
  user,
  exec: { [`A-${user}`]: cluster },
});
const addUser = (user: string, cluster: string) => ({
  kind: 'addUser',
  user,
  after: 'u',
  exec: { 'A-u': cluster },
});
const setContext = (context: string, user: string) => ({ kind: 'setContextUser', context, user });

describe('the changes of an import in place', () => {
  it.each<[string, string[], object[]]>([
    ['a user of one cluster keeps its entry, and its context stays', ['x c u'], [setUser('u', 'L-x')]],
    [
      'a user of several clusters gets an entry for each: the helper is always told the cluster',
      ['x c u', 'y d u'],
      [setUser('u', 'L-x'), addUser('u@y', 'L-y'), setContext('y', 'u@y')],
    ],
    ['contexts of one cluster share an entry', ['x c u', 'y=x c u'], [setUser('u', 'L-x')]],
    [
      'those of two clusters at one server have an entry each: their approval may differ',
      ['x c u', 'y c u'],
      [setUser('u', 'L-x'), addUser('u@y', 'L-y'), setContext('y', 'u@y')],
    ],
    [
      'a user that a context left out still needs stays as it is',
      ['x c u', '-y d u'],
      [addUser('u@x', 'L-x'), setContext('x', 'u@x')],
    ],
  ])('%s', (_, rows, expected) => {
    expect(changes(rows)).toEqual({ '/k': expected });
  });

  it('each file gets what stands in it', () => {
    expect(changes(['x c u /a', 'y d u /b'], { u: '/users' })).toEqual({
      '/users': [setUser('u', 'L-x'), addUser('u@y', 'L-y')],
      '/b': [setContext('y', 'u@y')],
    });
  });

  it('a new name is one that no one has', () => {
    expect(changes(['x c u', 'y d u', 'z e u@y'])['/k']).toContainEqual(addUser('u@y-2', 'L-y'));
  });

  it('nothing where nothing is imported', () => {
    expect(changes(['-x c u'])).toEqual({});
  });
});
