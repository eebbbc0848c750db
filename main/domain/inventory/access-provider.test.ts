import { expect, test } from 'vitest';
import { inventory } from '../../contract/config/inventory.ts';
import type { LoadedInventory } from '../loaded-config.ts';
import { accessProviderOf } from './access-provider.ts';

const loaded = (name: string, providers: object[]): [string, LoadedInventory] => [
  name,
  { name, config: inventory.parse({ files: ['a'], providers }), certificateAuthorityPem: null },
];

test('an account is for the first provider that names it', () => {
  const inventories = new Map([
    loaded('a', [
      { name: 'eks', account: 'aws' },
      { name: 'google', account: 'gcp' },
      { name: 'gke-fleet', account: 'gcp' },
    ]),
    loaded('b', [
      { name: 'other', account: 'aws' },
      { name: 'secretreader', account: 'fleet' },
    ]),
  ]);
  const of = (account: string) => accessProviderOf(account, { inventories });
  expect(['aws', 'gcp', 'fleet', 'corp'].map(of)).toEqual(['eks', 'google', 'secretreader', null]);
});
