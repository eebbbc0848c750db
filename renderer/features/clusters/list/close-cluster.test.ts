import { expect, it } from 'vitest';
import { listAddress } from './close-cluster.ts';

it.each([
  ['#/clusters/prod?q=pro&sort=name', 'prod', '/clusters?sort=name&q=pro&at=prod'],
  ['#/clusters/a%2Fb', 'a/b', '/clusters?at=a%2Fb'],
  ['#/clusters/+new?account=corp', null, '/clusters?account=corp'],
  ['#/clusters/+new', null, '/clusters'],
])('goes from %s back to %s in its list', (hash, name, address) => {
  expect(listAddress(hash, name)).toBe(address);
});
