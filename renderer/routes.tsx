import type { ComponentType } from 'react';
import { View as Clusters } from './features/clusters/list/index.tsx';
import type { ViewName } from './navigation/route.ts';
import { type ViewPart, type ViewProps, viewPart } from './shell/view-part.tsx';

const parts: Readonly<Record<Exclude<ViewName, 'clusters'>, ViewPart>> = {
  accounts: viewPart(() => import('./features/accounts/index.tsx')),
  activity: viewPart(() => import('./features/activity/index.tsx')),
  metrics: viewPart(() => import('./features/metrics/index.tsx')),
  import: viewPart(() => import('./features/import/index.tsx')),
  settings: viewPart(() => import('./features/settings/index.tsx')),
};

/**
 * The list of clusters comes with the page, for most people come for it, and asked for later it would come later. Each
 * other view is a part of its own, loaded when it is first looked at.
 */
export const views: Readonly<Record<ViewName, ComponentType<ViewProps>>> = { clusters: Clusters, ...parts };

/** One cluster: beside the list where there is room, else in its place. */
export const ClusterDetail = viewPart(() => import('./features/clusters/detail/index.tsx'));

/** Loads the other views ahead, so that they are there at once when somebody goes to them. */
export function loadViews(): void {
  for (const part of [ClusterDetail, ...Object.values(parts)]) {
    part.load();
  }
}
