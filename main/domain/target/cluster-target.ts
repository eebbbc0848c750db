import { clusterShape } from '../approval/cluster-shape.ts';
import type { LoadedCluster } from '../loaded-config.ts';
import { clusterKind, type Target } from './target.ts';

export interface ClusterTarget extends Target {
  readonly cluster: LoadedCluster;
}

const made = new WeakMap<LoadedCluster, ClusterTarget>();

/** A cluster of config.yaml as a target: the same object for the same cluster, so that its shape is made once. */
export function clusterTarget(cluster: LoadedCluster): ClusterTarget {
  const known = made.get(cluster);
  if (known) {
    return known;
  }
  let shape: string | null = null;
  const { config } = cluster;
  const target: ClusterTarget = {
    kind: clusterKind,
    name: cluster.name,
    account: config.account,
    audience: config.audience ?? null,
    get shape() {
      shape ??= clusterShape(cluster);
      return shape;
    },
    approval: config.approval,
    address: config.server,
    cluster,
  };
  made.set(cluster, target);
  return target;
}
