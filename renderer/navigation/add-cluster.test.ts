import { expect, it } from 'vitest';
import { listAddress } from '../features/clusters/list/close-cluster.ts';
import { accountForCluster, addClusterHref } from './add-cluster.ts';
import { addingName, routeOf } from './route.ts';

const name = 'corp/ops & co';

it('leads to the form of a new cluster, with the account', () => {
  const [path = '', query = ''] = addClusterHref(name).slice(1).split('?');
  expect(routeOf(path)).toEqual({ view: 'clusters', name: addingName });
  expect(accountForCluster(query)).toBe(name);
  expect(accountForCluster('')).toBe('');
});

it('leaves no filter behind in the list', () => {
  expect(listAddress(addClusterHref(name), null)).toBe('/clusters');
});
