import { expect, test } from 'vitest';
import type { AccountView, ClusterView, UiState } from '../../../main/contract/ui/state.ts';
import { someCluster } from '../../../test/support/ui-state.ts';
import * as palette from './entries.ts';
import { found } from './entries.ts';

const cluster = (name: string, more: Partial<ClusterView> = {}) =>
  [name, someCluster(name, { server: `https://${name}.example:6443`, ...more })] as const;
const account = (name: string, kind: AccountView['kind']) =>
  [name, { name, kind, subject: null } as AccountView] as const;
const state = (clusters: readonly (string | ReturnType<typeof cluster>)[], lock = 'open') =>
  ({
    clusters: Object.fromEntries(clusters.map((each) => (typeof each === 'string' ? cluster(each) : each))),
    inventories: { fleet: { name: 'fleet', hub: 'prod-hub', files: [] } },
    registries: { ghcr: { name: 'ghcr', matchImages: ['ghcr.io/team'] } },
    accounts: Object.fromEntries([
      account('corp', 'oidc'),
      account('bot', 'staticToken'),
      account('eks', 'execPlugin'),
    ]),
    lock: { '': { kind: lock } },
  }) as unknown as UiState;
const now = 1_000_000;
const paletteEntries = (of: UiState) => palette.paletteEntries(of, now);
const titles = (entries: { title: string }[]) => entries.map(({ title }) => title);

test('a cluster is found by its name and by its server', () => {
  const entries = paletteEntries(state(['prod-eu', 'staging']));
  expect(titles(found(entries, 'prod-eu'))[0]).toBe('prod-eu');
  expect(titles(found(entries, 'staging.example'))[0]).toBe('staging');
});

test('a registry is found by its name and by its patterns', () => {
  const entries = paletteEntries(state([]));
  expect(titles(found(entries, 'ghcr'))[0]).toBe('ghcr');
  expect(titles(found(entries, 'ghcr.io/team'))).toEqual(['ghcr']);
});

test('an inventory is found by its name and its hub, and can be synced', () => {
  const entries = paletteEntries(state([]));
  expect(titles(found(entries, 'prod-hub'))).toEqual(['fleet']);
  expect(titles(found(entries, 'sync fleet'))).toEqual(['Sync fleet']);
});

test('actions are found by their names, and only those that are possible', () => {
  const entries = paletteEntries(state(['prod-eu']));
  expect(titles(found(entries, 'renew prod'))).toContain('Renew prod-eu');
  expect(titles(found(entries, 'log in'))).toEqual(['Log in to corp']);
  expect(titles(paletteEntries(state([], 'gate')))).not.toContain('Lock');
});

test('before anything is typed there is a little of each group, and no more of a thousand clusters', () => {
  const entries = paletteEntries(state(Array.from({ length: 1000 }, (_, index) => `cluster-${index}`)));
  const shown = found(entries, '');
  expect(shown.length).toBeLessThan(30);
  expect(new Set(shown.map(({ group }) => group))).toEqual(
    new Set(['Clusters', 'Inventories', 'Registries', 'Accounts', 'Actions']),
  );
  expect(found(entries, 'cluster').length).toBeLessThan(30);
});

test('the clusters that were used last come first, each with its state', () => {
  const call = {
    program: null,
    parent: null,
    outcome: 'handedOut',
    reason: 'held',
    microseconds: 1,
  } as const;
  const entries = paletteEntries(
    state([
      'a',
      cluster('b', { lastCall: { ...call, at: 5 } }),
      cluster('c', { lastCall: { ...call, at: 9 }, state: 'loginNeeded' }),
    ]),
  );
  const shown = found(entries, '').filter(({ group }) => group === 'Clusters');
  expect(titles(shown)).toEqual(['c', 'b', 'a']);
  expect(shown[0]?.health).toBe('need');
  expect(titles(found(entries, 'example').filter(({ group }) => group === 'Clusters'))).toEqual([
    'c',
    'b',
    'a',
  ]);
});

test('an ARN is shown by its end and found by all of it; by an alias, a label and a display name, too', () => {
  const arn = 'arn:aws:eks:eu-west-1:111122223333:cluster/prod-payments';
  const labels = { team: 'pay' };
  const entries = paletteEntries(
    state([cluster(arn), cluster('c1', { displayName: 'عنقود-الإنتاج', aliases: ['zahlung'], labels })]),
  );
  const first = (query: string) => found(entries, query)[0];
  expect(first('prod-pay')).toMatchObject({
    title: 'prod-payments',
    full: arn,
    detail: 'eu-west-1 · 111122223333',
  });
  expect(first('111122223333')?.full).toBe(arn);
  for (const query of ['الإنتاج', 'zahlung', 'team=pay', 'c1']) {
    expect(first(query), query).toMatchObject({ title: 'عنقود-الإنتاج', detail: 'c1' });
  }
  expect(titles(found(entries, 'renew prod-payments'))).toEqual(['Renew prod-payments']);
});

test('an action on a cluster with a display name has the name itself beside it', () => {
  const entries = paletteEntries(state(['prod', cluster('evil', { displayName: 'Prod main' })]));
  const of = (query: string) => found(entries, query).find(({ group }) => group === 'Actions');
  expect(of('Renew Prod main')).toMatchObject({ title: 'Renew Prod main', detail: 'evil' });
  expect(entries.find(({ title }) => title === 'Renew prod')?.detail).toBe('cluster');
});
