import { describe, expect, it } from 'vitest';
import type { LoadedCluster } from '../loaded-config.ts';
import { authorityKey } from './authority-key.ts';
import { type ClusterToName, nameClusters } from './cluster-names.ts';
import { importedBefore } from './imported-before.ts';

const at = (context: string, server = 'https://prod.example.com', account = 'corp'): ClusterToName => ({
  context,
  origin: { file: '/home/me/.kube/config', name: context },
  made: {
    ok: true,
    value: { server },
    server,
    authorityKey: authorityKey(null),
    authorityPem: null,
    notes: [],
  },
  account,
});
const known = (name: string, server = 'https://prod.example.com'): [string, LoadedCluster] => [
  name,
  { name, config: { server, account: 'corp' }, certificateAuthorityPem: null } as LoadedCluster,
];
const nothing = importedBefore({});
const done = (...contexts: [string, string][]) =>
  importedBefore({ '/home/me/.kube/config': { users: [], contexts } });

interface Named {
  clusters?: [string, LoadedCluster][];
  shares?: boolean;
  before?: typeof nothing;
  chosen?: Record<string, string>;
}

function named(contexts: ClusterToName[], of: Named = {}) {
  const { clusters = [], shares = true, before = nothing, chosen = {} } = of;
  const options = { shares, chosen: new Map(Object.entries(chosen)), isThere: () => true };
  return nameClusters(contexts, { clusters: new Map(clusters) }, before, options);
}

const names = (...of: Parameters<typeof named>) =>
  Object.fromEntries(
    [...named(...of)].map(([context, { cluster, sharedWith }]) => [context, [cluster, sharedWith]]),
  );

describe('contexts that differ in nothing but their namespaces', () => {
  it('are one cluster, under the shortest name', () => {
    expect(names([at('prod-kube-system'), at('prod'), at('prod-web')])).toEqual({
      'prod-kube-system': ['prod', 'prod'],
      prod: ['prod', null],
      'prod-web': ['prod', 'prod'],
    });
  });

  it('are several where the kubeconfig that Lanyard writes has a context for each cluster', () => {
    expect(names([at('prod'), at('prod-web')], { shares: false })).toEqual({
      prod: ['prod', null],
      'prod-web': ['prod-web', null],
    });
  });

  it('are several at another server, and for another account', () => {
    const other = [at('dr', 'https://dr.example.com'), at('prod-admin', undefined, 'admin')];
    expect(names([at('prod'), ...other])).toEqual({
      prod: ['prod', null],
      dr: ['dr', null],
      'prod-admin': ['prod-admin', null],
    });
  });

  it('keep the cluster that an earlier import made of each', () => {
    const before = done(['prod web', 'prod-web']);
    const clusters = [known('prod'), known('prod-web')];
    expect(names([at('prod'), at('prod web'), at('prod-new')], { clusters, before })).toEqual({
      prod: ['prod', null],
      'prod web': ['prod-web', null],
      'prod-new': ['prod', 'prod'],
    });
  });

  const shared = done(['prod', 'prod'], ['prod-web', 'prod']);

  it('have the one that an earlier import made of all of them', () => {
    expect(names([at('prod-web'), at('prod')], { clusters: [known('prod')], before: shared })).toEqual({
      'prod-web': ['prod', 'prod'],
      prod: ['prod', null],
    });
  });

  it('take it along to another server only together', () => {
    const elsewhere = 'https://new.example.com';
    const clusters = [known('prod')];
    // The other one runs Lanyard already, and is no part of this import.
    expect(names([at('prod-web', elsewhere)], { clusters, before: shared })).toEqual({
      'prod-web': ['prod-web', null],
    });
    expect(names([at('prod', elsewhere), at('prod-web', elsewhere)], { clusters, before: shared })).toEqual({
      prod: ['prod', null],
      'prod-web': ['prod', 'prod'],
    });
  });

  it('are no one’s whose name another cluster has', () => {
    const clusters = [known('default', 'https://k3s.example.com')];
    expect(names([at('default'), at('default-web')], { clusters })).toEqual({
      default: ['default-2', null],
      'default-web': ['default-2', 'default'],
    });
  });
});

describe('a name that the user chose', () => {
  const before = done(['生产', 'payments']);
  const shown = (name: string, displayName: string): [string, LoadedCluster] => {
    const [, cluster] = known(name);
    return [name, { ...cluster, config: { ...cluster.config, displayName } } as LoadedCluster];
  };

  it('is that of all contexts that share the cluster', () => {
    const expected = { 生产: ['dr', null], '生产-web': ['dr', '生产'] };
    expect(names([at('生产'), at('生产-web')], { chosen: { 生产: 'dr' } })).toEqual(expected);
    expect(names([at('生产'), at('生产-web')], { chosen: { '生产-web': 'dr' } })).toEqual(expected);
  });

  it('gets a number where another cluster has it', () => {
    const clusters = [known('payments', 'https://other.example.com')];
    expect(names([at('生产')], { clusters, chosen: { 生产: 'payments' } })).toEqual({
      生产: ['payments-2', null],
    });
  });

  it('is known at the next import: by what was imported, or by the display name that it kept', () => {
    const clusters = [known('payments'), known('cluster')];
    expect(names([at('生产')], { clusters, before })).toEqual({ 生产: ['payments', null] });
    expect(names([at('生产')], { clusters, before, shares: false })).toEqual({ 生产: ['payments', null] });
    const kept = [known('cluster'), shown('payments', '生产')];
    expect(names([at('生产')], { clusters: kept })).toEqual({ 生产: ['payments', null] });
  });

  it('is no other’s', () => {
    // The context has another server now: it replaces the cluster, after a question.
    const moved = at('生产', 'https://team.example.com');
    expect(named([moved], { clusters: [known('payments')], before }).get('生产')).toMatchObject({
      cluster: 'payments',
      exists: false,
      replaces: { name: 'payments' },
    });
    // The same server by another account, and another server under the display name.
    const clusters = [known('payments'), shown('other', '生产')];
    const fresh = { cluster: 'cluster', exists: false, replaces: null };
    const byBot = at('生产', undefined, 'bot');
    expect(named([byBot], { clusters, before }).get('生产')).toMatchObject(fresh);
    const elsewhere = at('生产', 'https://dr.example.com');
    expect(named([elsewhere], { clusters }).get('生产')).toMatchObject(fresh);
  });
});
