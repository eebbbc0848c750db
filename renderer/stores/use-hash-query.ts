import { useCallback, useSyncExternalStore } from 'react';

/** The part after the `?` in the page's fragment (`#/clusters?show=need`): a view's own state, in the address. */
export function useHashQuery(): [string, (query: string) => void] {
  const query = useSyncExternalStore(subscribe, read);
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

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  window.addEventListener('popstate', listener);
  return () => {
    window.removeEventListener('hashchange', listener);
    window.removeEventListener('popstate', listener);
  };
}

function read(): string {
  const hash = window.location.hash;
  const at = hash.indexOf('?');
  return at === -1 ? '' : hash.slice(at + 1);
}
