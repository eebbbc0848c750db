import { expect, test } from 'vitest';
import { foldedName, shortName, shortNames } from './short-name.ts';

const eks = (account: string, name = 'prod', region = 'eu-west-1') =>
  `arn:aws:eks:${region}:${account}:cluster/${name}`;

test.for([
  // aws eks update-kubeconfig; China and GovCloud have partitions of their own.
  [eks('111122223333', 'prod-payments'), 'prod-payments', 'eu-west-1 · 111122223333'],
  ['arn:aws-cn:eks:cn-north-1:111122223333:cluster/prod', 'prod', 'cn-north-1 · 111122223333'],
  ['arn:aws-us-gov:eks:us-gov-west-1:111122223333:cluster/a', 'a', 'us-gov-west-1 · 111122223333'],
  // gcloud container clusters get-credentials: a zone or a region, a project of an organization.
  ['gke_acme-dev_europe-west4_main', 'main', 'europe-west4 · acme-dev'],
  ['gke_acme-dev_us-central1-a_main', 'main', 'us-central1-a · acme-dev'],
  ['gke_example.com:acme_us-central1_main', 'main', 'us-central1 · example.com:acme'],
  ['connectgateway_acme_global_edge-1', 'edge-1', 'global · acme'],
  // eksctl, kubeadm, az aks get-credentials.
  ['iam-root-account@basic.us-west-2.eksctl.io', 'basic', 'us-west-2 · iam-root-account'],
  ['jane@corp.example@basic.us-west-2.eksctl.io', 'basic', 'us-west-2 · jane@corp.example'],
  ['kubernetes-admin@kubernetes', 'kubernetes', 'kubernetes-admin'],
  ['kubernetes-super-admin@lab', 'lab', 'kubernetes-super-admin'],
  ['clusterUser_payments-rg_prod', 'prod', 'payments-rg · clusterUser'],
])('%s is called %s', ([name = '', short, detail]) => {
  expect(shortName({ name })).toEqual({ short, detail });
});

test.for([
  'prod-eu',
  'myAKSCluster-admin',
  'gke_acme',
  'gke_a_b_c_d',
  // An IAM role is no cluster, and an ARN’s account has 12 digits.
  'arn:aws:iam::111122223333:role/dev',
  'arn:aws:eks:eu-west-1:1111:cluster/prod',
  // Group and cluster may have an underscore: which part is which isn’t clear.
  'clusterUser_my_group_prod',
  'jane@prod',
  'عنقود-الإنتاج',
  'прод',
  '生产-集群',
])('%s stays as it is', (name) => {
  expect(shortName({ name })).toEqual({ short: name, detail: null });
});

const shown = (...names: string[]) =>
  [...shortNames(names.map((name) => ({ name }))).values()].map(({ short, detail }) => [short, detail]);

test('two ARNs that differ only in the account keep it', () => {
  expect(shown(eks('111122223333'), eks('444455556666'))).toEqual([
    ['prod · 111122223333', 'eu-west-1'],
    ['prod · 444455556666', 'eu-west-1'],
  ]);
});

test('two that differ only in the region keep it; others stay short', () => {
  expect(shown(eks('111122223333'), eks('111122223333', 'prod', 'us-east-1'), 'lab')).toEqual([
    ['prod · eu-west-1', '111122223333'],
    ['prod · us-east-1', '111122223333'],
    ['lab', null],
  ]);
});

test('a cluster that is called what another’s short name would be keeps its name alone', () => {
  expect(shown('prod', eks('111122223333'), 'PROD-2', eks('111122223333', 'prod-2'))).toEqual([
    ['prod', null],
    ['prod · eu-west-1', '111122223333'],
    ['PROD-2', null],
    ['prod-2 · eu-west-1', '111122223333'],
  ]);
});

test('where no single part tells three apart, all are kept', () => {
  const three = [
    eks('111122223333'),
    eks('444455556666'),
    eks('111122223333', 'prod', 'us-east-1'),
    eks('444455556666', 'prod', 'us-east-1'),
  ];
  expect(shown(...three).map(([short]) => short)).toEqual([
    'prod · eu-west-1 · 111122223333',
    'prod · eu-west-1 · 444455556666',
    'prod · us-east-1 · 111122223333',
    'prod · us-east-1 · 444455556666',
  ]);
});

test('a display name comes first, and the name is beside it', () => {
  expect(shortName({ name: 'cluster', displayName: 'عنقود-الإنتاج' })).toEqual({
    short: 'عنقود-الإنتاج',
    detail: 'cluster',
  });
  expect(shortName({ name: 'prod', displayName: 'prod' })).toEqual({ short: 'prod', detail: null });
});

test('a display name that looks like another cluster’s name never stands alone', () => {
  const names = shortNames([
    { name: 'prod' },
    { name: 'evil', displayName: 'pr\u200bod' },
    { name: 'evil-2', displayName: 'ＰＲＯＤ' },
  ]);
  expect([...names.values()].map(({ short }) => short)).toEqual([
    'prod',
    'pr\u200bod · evil',
    'ＰＲＯＤ · evil-2',
  ]);
});

test('one that is made to look like a name with its parts shortens none', () => {
  const names = [
    { name: eks('111122223333') },
    { name: eks('444455556666') },
    { name: 'evil', displayName: 'prod · 111122223333' },
  ];
  expect([...shortNames(names).values()].map(({ short }) => short)).toEqual(names.map(({ name }) => name));
});

test('what looks alike is compared as one', () => {
  expect(foldedName('ＰＲＯＤ')).toBe(foldedName('prod'));
  expect(foldedName('pr\u200bo d\u202e')).toBe('prod');
});

test.for(['prod\u3164', 'pr\u2800od', 'pr\uffa0od', 'pr\u115fod'])(
  'fillers in %j are not seen, so not compared',
  (text) => {
    expect(foldedName(text)).toBe('prod');
  },
);
