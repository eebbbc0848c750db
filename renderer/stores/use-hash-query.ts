import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { hashPath, hashQuery, subscribeToHash } from '../navigation/hash.ts';

/** After the last letter. */
const typingMilliseconds = 200;

/** Changes the query. `isTyping`: at once for the view, and in the address when the user has stopped typing. */
export type WriteQuery = (query: string, isTyping?: boolean) => void;

/** The part after the `?` in the page's fragment (`#/clusters?show=need`): a view's own state, in the address. */
export function useHashQuery(): [string, WriteQuery] {
  const written = useSyncExternalStore(subscribeToHash, hashQuery);
  // Browsers take milliseconds to change the address, and limit how often a page may.
  const [typed, setTyped] = useState<{ query: string; path: string } | null>(null);
  // Whoever changes the address says what holds.
  useEffect(() => subscribeToHash(() => setTyped(null)), []);
  useEffect(() => {
    if (!typed) {
      return undefined;
    }
    const timer = setTimeout(() => {
      // The user may be about to leave the view.
      if (hashPath() === typed.path) {
        replaceQuery(typed.query);
      }
    }, typingMilliseconds);
    return () => clearTimeout(timer);
  }, [typed]);
  const write = useCallback<WriteQuery>((query, isTyping = false) => {
    if (isTyping) {
      setTyped({ query, path: hashPath() });
    } else {
      replaceQuery(query);
    }
  }, []);
  return [typed?.query ?? written, write];
}

function replaceQuery(query: string): void {
  const [path = ''] = window.location.hash.split('?');
  const url = new URL(window.location.href);
  url.hash = query === '' ? path : `${path}?${query}`;
  const before = window.location.href;
  // Replaces the address: Back leaves the view, and doesn't undo each letter of a search.
  window.history.replaceState(window.history.state, '', url);
  window.dispatchEvent(new HashChangeEvent('hashchange', { oldURL: before, newURL: url.href }));
}
