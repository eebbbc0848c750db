import { readListQuery, writeListQuery } from './list-query.ts';

/** Returns to the list as it was, with the closed cluster selected. Null: none was open. */
export function closeCluster(name: string | null): void {
  window.location.hash = listAddress(window.location.hash, name);
}

/** The list's address, from the address of a cluster. */
export function listAddress(hash: string, name: string | null): string {
  const [, text = ''] = hash.split('?');
  const query = writeListQuery({ ...readListQuery(text), at: name ?? '' });
  return `/clusters${query === '' ? '' : `?${query}`}`;
}
