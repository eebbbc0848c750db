import { useCallback, useSyncExternalStore } from 'react';
import { hashQuery, subscribeToHash } from '../navigation/hash.ts';

/** The part after the `?` in the page's fragment (`#/clusters?show=need`): a view's own state, in the address. */
export function useHashQuery(): [string, (query: string) => void] {
  const query = useSyncExternalStore(subscribeToHash, hashQuery);
  const write = useCallback((next: string) => {
    const [path = ''] = window.location.hash.split('?');
    const url = new URL(window.location.href);
    url.hash = next === '' ? path : `${path}?${next}`;
    const before = window.location.href;
    // Replaces the address: Back leaves the view, and doesn't undo each letter of a search.
    window.history.replaceState(window.history.state, '', url);
    window.dispatchEvent(new HashChangeEvent('hashchange', { oldURL: before, newURL: url.href }));
  }, []);
  return [query, write];
}
