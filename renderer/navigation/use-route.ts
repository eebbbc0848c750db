import { useMemo } from 'react';
import { useHashLocation } from 'wouter/use-hash-location';
import { hrefOf, type Route, routeOf, type ViewName } from './route.ts';

/** The current route. */
export function useRoute(): Route {
  const [path] = useHashLocation();
  return useMemo(() => routeOf(path), [path]);
}

/** Goes to a view, or to an item in it. `replace`: adds no step to the browser's history. */
export function useGo(): (view: ViewName, name?: string | null, options?: { replace?: boolean }) => void {
  const [, navigate] = useHashLocation();
  return (view, name, { replace = false } = {}) => navigate(hrefOf(view, name).slice(1), { replace });
}
