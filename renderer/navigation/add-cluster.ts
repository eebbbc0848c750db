import { addingName, hrefOf } from './route.ts';

/** The form of a new cluster, with its account chosen: `#/clusters/+new?for=corp`. */
export function addClusterHref(account: string): string {
  return `${hrefOf('clusters', addingName)}?for=${encodeURIComponent(account)}`;
}

/** The account that the address chooses for a new cluster; '': none. */
export function accountForCluster(query: string): string {
  return new URLSearchParams(query).get('for') ?? '';
}
