import { expect, test } from 'vitest';
import { account } from '../../contract/config/accounts/account.ts';
import { cluster } from '../../contract/config/cluster.ts';
import { clustersByAccount } from './clusters-by-account.ts';

test('an account serves clusters as their own, in a chain, and with its AWS keys', () => {
  const accounts = new Map([
    ['work', { config: account.parse({ aws: { profile: 'work' } }) }],
    [
      'eks',
      { config: account.parse({ awsEks: { account: 'work', cluster: 'prod', region: 'eu-west-1' } }) },
    ],
  ]);
  const entry = (value: object) => ({ config: cluster.parse({ server: 'https://a', ...value }) });
  const sign = { sign: 'work', service: 'execute-api', region: 'eu-west-1' };
  const clusters = new Map([
    ['b', entry({ account: 'eks' })],
    ['a', entry({ account: 'constructor', proxy: { chain: [{ set: 'X', account: 'front' }, sign] } })],
    ['c', entry({ account: 'work', proxy: { chain: [sign] } })],
  ]);
  expect(Object.fromEntries([...clustersByAccount({ accounts, clusters })].map(([n, of]) => [`to ${n}`, of]))).toEqual({
    'to work': ['b', 'a', 'c'],
    'to eks': ['b'],
    'to constructor': ['a'],
    'to front': ['a'],
  });
});
