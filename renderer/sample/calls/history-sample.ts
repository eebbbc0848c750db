import type { ClusterView } from '../../../main/contract/ui/state.ts';
import { laneOf } from '../past/sample-lane.ts';
import { callSteps, trafficOf } from '../past/sample-traffic.ts';
import { SampleRefusal, type SomeHandlers } from '../sample-calls.ts';
import type { SampleWorld } from '../sample-world.ts';

export const historySample = {
  'cluster.lane': ({ cluster, ...window }, { world }) =>
    laneOf(clusterOf(world, cluster), window, world.time.now()),
  lanes: ({ clusters, ...window }, { world }) => ({
    lanes: Object.fromEntries(
      clusters.flatMap((name) => {
        const cluster = world.get('clusters', name);
        return cluster ? [[name, laneOf(cluster, window, world.time.now())]] : [];
      }),
    ),
  }),
  'cluster.calls': ({ cluster, ...window }, { world }) => ({
    steps: callSteps([clusterOf(world, cluster)], window, world.time.now()),
  }),
  'cluster.askers': ({ cluster: name, since, until }, { world }) => {
    const cluster = clusterOf(world, name);
    const { held, renewed, declined, failed } = trafficOf(cluster, since, until, world.time.now());
    const all = held + renewed + declined + failed;
    const lastAt = cluster.lastCall?.at ?? since;
    const shares = [
      [`/usr/local/bin/${cluster.lastCall?.program ?? 'kubectl'}`, 0.7],
      ['/usr/bin/helm', 0.22],
      ['/home/dev/bin/k9s', 0.08],
    ] as const;
    return {
      askers: shares
        .map(([executable, share], index) => ({
          executable,
          calls: Math.round(all * share),
          refused: index === 0 ? declined + failed : 0,
          lastAt: Math.round(lastAt - index * (lastAt - since) * 0.1),
        }))
        .filter(({ calls }) => calls > 0),
      more: 0,
    };
  },
} satisfies SomeHandlers;

/** An existing cluster. */
export function clusterOf(world: SampleWorld, name: string): ClusterView {
  const cluster = world.get('clusters', name);
  if (!cluster) {
    throw new SampleRefusal(`there is no cluster named ${name}`);
  }
  return cluster;
}
