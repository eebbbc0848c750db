import { describe, expect, it } from 'vitest';
import type { Health } from '../../../../main/contract/ui/health.ts';
import { shortNames } from '../../../../main/contract/ui/short-name.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { readListQuery, writeListQuery } from './list-query.ts';
import {
  type ClusterWithHealth,
  clusterRows,
  clustersBetween,
  countByHealth,
  listRows,
  moved,
  nameOrder,
  primaryOf,
} from './list-rows.ts';

const of = (name: string, health: Health, more: Partial<ClusterView> = {}) => ({
  health,
  cluster: {
    name,
    displayName: null,
    aliases: [],
    labels: {},
    mark: null,
    server: `https://${name}.example`,
    account: 'corp',
    kind: 'oidc',
    state: health === 'need' ? 'loginNeeded' : 'ready',
    problem: null,
    credential: null,
    audience: null,
    approval: 'never',
    isProxied: false,
    context: null,
    isPending: false,
    lastCall: null,
    laneVersion: 0,
    ...more,
  } as ClusterView,
});
const held = (expiresAt: number | null) => ({
  credential: {
    kind: 'token' as const,
    issuedAt: null,
    expiresAt,
    renewsAt: null,
    trouble: null,
    generation: 1,
  },
});
const asked = (at: number) => ({
  lastCall: {
    at,
    program: 'kubectl',
    parent: null,
    outcome: 'handedOut' as const,
    reason: 'held',
    microseconds: 1,
  },
});

const all = [
  of('prod-10', 'good', { ...held(500), ...asked(3), account: 'corp' }),
  of('prod-9', 'good', { ...held(null), ...asked(9), account: 'ops' }),
  of('lab', 'bad'),
  of('staging', 'need', { account: 'ops' }),
  of('edge', 'soon', held(100)),
  of('spare', 'idle'),
];
const wishes = (clusters: readonly ClusterWithHealth[], favorites: readonly string[] = []) => {
  const names = shortNames(clusters.map(({ cluster }) => cluster));
  return { names, order: nameOrder(names), favorites: new Set(favorites) };
};
const listed = (clusters: readonly ClusterWithHealth[], text = '', favorites: readonly string[] = []) => {
  const query = readListQuery(text);
  return listRows(clusterRows(clusters, query.sort, wishes(clusters, favorites)), query);
};
const rowsOf = (clusters: readonly ClusterWithHealth[], query: string, favorites: readonly string[] = []) =>
  listed(clusters, query, favorites).map((row) =>
    row.kind === 'heading' ? `# ${row.label} ${row.count}` : row.key,
  );
const rows = (query: string) => rowsOf(all, query);

describe('the list', () => {
  it('has what needs the user first, in groups', () => {
    expect(rows('')).toEqual([
      ...['# Needs attention 2', 'staging', 'lab', '# Expiring soon 1', 'edge'],
      ...['# Good 2', 'prod-9', 'prod-10', '# No credential 1', 'spare'],
    ]);
  });

  it.each([
    ['group=none&sort=name', ['edge', 'lab', 'prod-9', 'prod-10', 'spare', 'staging']],
    ['group=none&sort=left', ['edge', 'prod-10', 'prod-9', 'lab', 'spare', 'staging']],
    ['group=none&sort=asked', ['prod-9', 'prod-10', 'edge', 'lab', 'spare', 'staging']],
    ['group=account', ['# corp 4', 'lab', 'edge', 'prod-10', 'spare', '# ops 2', 'staging', 'prod-9']],
    ['group=none&account=ops', ['staging', 'prod-9']],
    ['show=need', ['# Needs attention 2', 'staging', 'lab']],
    ['show=bad', ['# Needs attention 1', 'lab']],
    ['show=soon', ['# Expiring soon 1', 'edge']],
    ['group=none&q=PROD 9', ['prod-9']],
    ['group=none&q=ops', ['staging', 'prod-9']],
    ['group=none&q=lab.example', ['lab']],
    ['q=nothing', []],
    ['show=odd&sort=odd&group=none', ['staging', 'lab', 'edge', 'prod-9', 'prod-10', 'spare']],
  ])('%s', (query, expected) => {
    expect(rows(query)).toEqual(expected);
  });

  it('has favourites at the top, in the order of the others, with every grouping', () => {
    expect(rowsOf(all, '', ['prod-10', 'lab', 'gone'])).toEqual([
      ...['# Favourites 2', 'lab', 'prod-10', '# Needs attention 1', 'staging', '# Expiring soon 1', 'edge'],
      ...['# Good 1', 'prod-9', '# No credential 1', 'spare'],
    ]);
    expect(rowsOf(all, 'group=none&sort=name', ['spare'])[0]).toBe('spare');
    expect(rowsOf(all, 'q=prod', ['spare'])).toEqual(['# Good 2', 'prod-9', 'prod-10']);
  });

  it('is searched by all that a cluster is called, and by its labels', () => {
    const called = [
      of('c1', 'good', { displayName: 'عنقود-الإنتاج', labels: { team: 'pay', env: 'prod' } }),
      of('c2', 'good', { aliases: ['zahlung'], labels: { team: 'data' } }),
      of('c3', 'good', { displayName: 'Прод север' }),
    ];
    const found = (words: string) => rowsOf(called, `group=none&q=${encodeURIComponent(words)}`);
    expect(found('team=pay')).toEqual(['c1']);
    expect(found('team=').sort()).toEqual(['c1', 'c2']);
    expect(found('env=prod team=data')).toEqual([]);
    expect(found('الإنتاج')).toEqual(['c1']);
    expect(found('zahl')).toEqual(['c2']);
    expect(found('прод')).toEqual(['c3']);
  });

  it('is sorted by what is shown', () => {
    const arns = [of('arn:aws:eks:eu-west-1:111122223333:cluster/zoo', 'good'), of('lab', 'good')];
    expect(rowsOf(arns, 'group=none&sort=name')).toEqual(['lab', arns[0]?.cluster.name]);
  });

  it('counts for the filters, whatever is shown', () => {
    expect(countByHealth(all)).toEqual({ all: 6, need: 2, soon: 1, bad: 1 });
  });
});

describe('an account that several clusters need', () => {
  const needing = [
    ...all,
    of('a-1', 'need'),
    of('a-2', 'need'),
    of('b-1', 'need', { account: 'bot', state: 'secretMissing' }),
    of('b-2', 'need', { account: 'bot', state: 'secretMissing' }),
    of('c-1', 'need', { account: 'ops', state: 'held', isPending: true }),
  ];
  const lines = (query: string) =>
    listed(needing, query).map((row) =>
      row.kind === 'heading'
        ? `# ${row.label} ${row.count}`
        : row.kind === 'need'
          ? `${row.cluster.account}: ${row.remedy} ${row.count}`
          : row.isShared
            ? `(${row.key})`
            : row.key,
    );

  it('has one row with the one button', () => {
    expect(lines('show=need')).toEqual([
      // corp, bot, ops, and what is pending.
      '# Needs attention 4',
      ...['corp: logIn 2', 'bot: setSecret 2', '(a-1)', '(a-2)', '(b-1)', '(b-2)', 'c-1', 'staging', 'lab'],
    ]);
    expect(lines('group=none&q=a-')).toEqual(['corp: logIn 2', '(a-1)', '(a-2)']);
    expect(lines('group=account&q=a-1')).toEqual(['# corp 1', 'a-1']);
  });

  it('has the primary button, unless another cluster that needs a login is selected', () => {
    const shown = listed(needing);
    expect(primaryOf(shown, 'a-2')).toBe('need corp');
    expect(primaryOf(shown, 'staging')).toBe('staging');
  });

  it('has a row among the favourites, too, with another key', () => {
    const many = ['a-1', 'a-2', 'a-3', 'a-4'].map((name) => of(name, 'need'));
    const rows = listed(many, '', ['a-3', 'a-4']);
    expect(rows.map(({ kind }) => kind)).toEqual([
      'heading',
      'need',
      'cluster',
      'cluster',
      'heading',
      'need',
      'cluster',
      'cluster',
    ]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(8);
  });

  it('is counted once', () => {
    expect(countByHealth(needing)).toEqual({ all: 11, need: 4, soon: 1, bad: 1 });
  });
});

it('goes from cluster to cluster, over headings, and stays within', () => {
  const shown = listed(all);
  expect(moved(shown, null, 1)).toBe('staging');
  expect(moved(shown, 'lab', 1)).toBe('edge');
  expect(moved(shown, 'edge', -1)).toBe('lab');
  expect(moved(shown, 'staging', -1)).toBe('staging');
  expect(moved(shown, 'staging', Number.POSITIVE_INFINITY)).toBe('spare');
  expect(moved(shown, 'gone', 1)).toBe('staging');
  expect(moved([], null, 1)).toBeNull();
});

it('has one primary button: of the selected one where that needs a login, else of the first that does', () => {
  const clusters = [...all, of('third', 'need')];
  const more = listed(clusters);
  expect(primaryOf(more, 'prod-9')).toBe('staging');
  expect(primaryOf(more, 'third')).toBe('third');
  expect(primaryOf(listed([of('a', 'good')]), 'a')).toBeNull();
});

it('says the query in the address, as short as can be', () => {
  expect(writeListQuery(readListQuery(''))).toBe('');
  const query = 'show=need&account=a+b&sort=left&group=none&q=x%26y&at=prod';
  expect(writeListQuery(readListQuery(query))).toBe(query);
});

describe('a range of the list', () => {
  const shown = listed(all);
  it.each([
    ['staging', 'edge', ['staging', 'lab', 'edge']],
    ['edge', 'staging', ['staging', 'lab', 'edge']],
    ['lab', 'lab', ['lab']],
    [null, null, ['staging', 'lab', 'edge', 'prod-9', 'prod-10', 'spare']],
    // It isn’t shown any more.
    ['gone', 'edge', ['edge']],
  ])('from %s to %s has the clusters between, without headings', (from, to, names) => {
    expect(clustersBetween(shown, from, to)).toEqual(names);
  });
});
