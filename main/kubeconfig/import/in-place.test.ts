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

describe('the changes of an import in place', () => {
  it('a user of one cluster keeps its entry, and its context stays', () => {
    expect(changes(['x c u'])).toEqual({
      '/k': [{ kind: 'setUserExec', user: 'u', exec: { 'A-u': 'L-x' } }],
    });
  });

  it('a user of several clusters gets an entry for each: the helper is always told the cluster', () => {
    expect(changes(['x c u', 'y d u'])).toEqual({
      '/k': [
        { kind: 'setUserExec', user: 'u', exec: { 'A-u': 'L-x' } },
        { kind: 'addUser', user: 'u@y', after: 'u', exec: { 'A-u': 'L-y' } },
        { kind: 'setContextUser', context: 'y', user: 'u@y' },
      ],
    });
  });

  it('contexts of one cluster share an entry', () => {
    expect(changes(['x c u', 'y=x c u'])).toEqual({
      '/k': [{ kind: 'setUserExec', user: 'u', exec: { 'A-u': 'L-x' } }],
    });
  });

  it('those of two clusters at one server have an entry each: their approval may differ', () => {
    expect(changes(['x c u', 'y c u'])).toEqual({
      '/k': [
        { kind: 'setUserExec', user: 'u', exec: { 'A-u': 'L-x' } },
        { kind: 'addUser', user: 'u@y', after: 'u', exec: { 'A-u': 'L-y' } },
        { kind: 'setContextUser', context: 'y', user: 'u@y' },
      ],
    });
  });

  it('a user that a context left out still needs stays as it is', () => {
    expect(changes(['x c u', '-y d u'])).toEqual({
      '/k': [
        { kind: 'addUser', user: 'u@x', after: 'u', exec: { 'A-u': 'L-x' } },
        { kind: 'setContextUser', context: 'x', user: 'u@x' },
      ],
    });
  });

  it('each file gets what stands in it', () => {
    expect(changes(['x c u /a', 'y d u /b'], { u: '/users' })).toEqual({
      '/users': [
        { kind: 'setUserExec', user: 'u', exec: { 'A-u': 'L-x' } },
        { kind: 'addUser', user: 'u@y', after: 'u', exec: { 'A-u': 'L-y' } },
      ],
      '/b': [{ kind: 'setContextUser', context: 'y', user: 'u@y' }],
    });
  });

  it('a new name is one that no one has', () => {
    expect(changes(['x c u', 'y d u', 'z e u@y'])['/k']).toContainEqual({
      kind: 'addUser',
      user: 'u@y-2',
      after: 'u',
      exec: { 'A-u': 'L-y' },
    });
  });

  it('nothing where nothing is imported', () => {
    expect(changes(['-x c u'])).toEqual({});
  });
});
