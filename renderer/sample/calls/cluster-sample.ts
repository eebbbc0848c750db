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
    return { renewed: [{ variables: [], expiresAt: renew(world, cluster), failure: null }] };
  },
  'cluster.openTerminal': () => ({}),
  'cluster.kubectlLine': ({ cluster }) => ({ line: `kubectl --context ${cluster} get pods` }),
  'cluster.test': async ({ entry }, { wait }) => {
    await wait(900);
    const message = `${new URL(String(entry['server'])).host} answers, and its certificate is of a CA of the system`;
    return {
      findings: [{ check: 'cluster.reachable', level: 'ok', message, hint: null, field: null }],
      authority: null,
    };
  },
} satisfies SomeHandlers;
