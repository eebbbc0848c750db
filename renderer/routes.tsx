import type { ComponentType } from 'react';
import { View as Clusters } from './features/clusters/list/index.tsx';
import type { ViewName } from './navigation/route.ts';
import { type ViewPart, type ViewProps, viewPart } from './shell/view-part.tsx';

const parts: Readonly<Record<Exclude<ViewName, 'clusters'>, ViewPart>> = {
  accounts: viewPart(() => import('./features/accounts/index.tsx')),
  inventories: viewPart(() => import('./features/inventories/index.tsx')),
  registries: viewPart(() => import('./features/registries/index.tsx')),
  activity: viewPart(() => import('./features/activity/index.tsx')),
  metrics: viewPart(() => import('./features/metrics/index.tsx')),
  import: viewPart(() => import('./features/import/index.tsx')),
  settings: viewPart(() => import('./features/settings/index.tsx')),
};

/**
 * The list of clusters is part of the page: most users open it for that list, and a separate request would delay it.
 * Each other view is a separate part, loaded when it is first shown.
 */
export const views: Readonly<Record<ViewName, ComponentType<ViewProps>>> = { clusters: Clusters, ...parts };

/** One cluster: beside the list if it fits, else instead of it. */
export const ClusterDetail = viewPart(() => import('./features/clusters/detail/index.tsx'));

/** Preloads the other views, so that they appear immediately. */
export function loadViews(): void {
  for (const part of [ClusterDetail, ...Object.values(parts)]) {
    part.load();
  }
}
