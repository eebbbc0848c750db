import { useMemo, useSyncExternalStore } from 'react';
import { navigate } from 'wouter/use-hash-location';
import { hashPath, subscribeToHash } from './hash.ts';
import { hrefOf, type Route, routeOf, type ViewName } from './route.ts';

/** The current route. What a view keeps in its query doesn't draw the frame again. */
export function useRoute(): Route {
  const path = useSyncExternalStore(subscribeToHash, hashPath);
  return useMemo(() => routeOf(path), [path]);
}

/** Goes to a view, or to an item in it. `replace`: adds no step to the browser's history. */
export function useGo(): (view: ViewName, name?: string | null, options?: { replace?: boolean }) => void {
  return (view, name, { replace = false } = {}) => navigate(hrefOf(view, name).slice(1), { replace });
}
