import { describe, expect, it } from 'vitest';
import type { LoadedCluster } from '../loaded-config.ts';
import { type ClusterToName, nameClusters } from './cluster-names.ts';
import { importedBefore } from './imported-before.ts';

const at = (context: string, server = 'https://prod.example.com', account = 'corp'): ClusterToName => ({
  context,
  file: '/home/me/.kube/config',
  made: { ok: true, value: { server }, server, authorityKey: 'ca', authorityPem: null, notes: [] },
  account,
});
const known = (name: string, server = 'https://prod.example.com'): [string, LoadedCluster] => [
  name,
  { name, config: { server, account: 'corp' }, certificateAuthorityPem: null } as LoadedCluster,
];
const nothing = importedBefore({});

function names(
  contexts: ClusterToName[],
  {
    clusters = [],
    shares = true,
    before = nothing,
  }: Partial<{ clusters: [string, LoadedCluster][]; shares: boolean; before: typeof nothing }> = {},
) {
  const named = nameClusters(contexts, { clusters: new Map(clusters) }, before, { shares });
  return Object.fromEntries(
    [...named].map(([context, { cluster, sharedWith }]) => [context, [cluster, sharedWith]]),
  );
}

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
    const before = importedBefore({
      '/home/me/.kube/config': { users: [], contexts: [['prod web', 'prod-web']] },
    });
    const clusters = [known('prod', 'https://old.example.com'), known('prod-web', 'https://old.example.com')];
    expect(names([at('prod'), at('prod web'), at('prod-new')], { clusters, before })).toMatchObject({
      'prod web': ['prod-web', null],
      'prod-new': [expect.stringMatching(/^prod/), expect.stringMatching(/^prod/)],
    });
  });
});
