import { SampleRefusal, type SomeHandlers } from '../sample-calls.ts';
import { renew } from '../sample-life.ts';

export const clusterSample = {
  'cluster.favorite': ({ cluster, favorite }, { world }) => {
    const others = (world.get('appearance', '')?.favorites ?? []).filter((each) => each !== cluster);
    world.patch('appearance', '', { favorites: favorite ? [...others, cluster] : others });
    return {};
  },
  'cluster.renew': async ({ cluster }, { world, wait }) => {
    await wait(900);
    const found = world.get('clusters', cluster);
    if (found?.state !== 'ready') {
      throw new SampleRefusal(`${cluster} can’t be renewed now`, found?.problem ?? undefined);
    }
    return { expiresAt: renew(world, cluster) };
  },
  'cluster.kubectlLine': ({ cluster }) => ({ line: `kubectl --context ${cluster} get pods` }),
} satisfies SomeHandlers;
