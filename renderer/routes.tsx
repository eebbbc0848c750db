import { type ComponentType, lazy } from 'react';
import type { ViewName } from './shell/route.ts';

/** What each view gets: what of it is looked at, by the address; null: nothing in particular. */
export interface ViewProps {
  name: string | null;
}

/** Each view is a part of its own, loaded when it is first looked at. */
export const views: Readonly<Record<ViewName, ComponentType<ViewProps>>> = {
  clusters: lazyView(() => import('./features/clusters/index.tsx')),
  accounts: lazyView(() => import('./features/accounts/index.tsx')),
  activity: lazyView(() => import('./features/activity/index.tsx')),
  metrics: lazyView(() => import('./features/metrics/index.tsx')),
  import: lazyView(() => import('./features/import/index.tsx')),
  settings: lazyView(() => import('./features/settings/index.tsx')),
};

/** One cluster: beside the list where there is room, else in its place. */
export const ClusterDetail = lazyView(() => import('./features/cluster/index.tsx'));

function lazyView(
  load: () => Promise<{ View: ComponentType<never> | ComponentType }>,
): ComponentType<ViewProps> {
  return lazy(async () => ({ default: (await load()).View as ComponentType<ViewProps> }));
}
