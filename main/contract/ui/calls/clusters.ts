import { z } from 'zod';
import { defineCalls } from '../call.ts';

const name = z.string().min(1).max(128);

export const clusterCalls = defineCalls({
  /**
   * Renews the cluster’s credential now, without the user. `expiresAt`: milliseconds since 1970; null: it never
   * expires.
   */
  'cluster.renew': {
    input: z.object({ cluster: name }),
    output: z.object({ expiresAt: z.number().nullable() }),
  },
  /** Keeps the cluster at the top of the list, or no longer: `favorites` of config.yaml. */
  'cluster.favorite': {
    input: z.object({ cluster: name, favorite: z.boolean() }),
    output: z.object({}),
  },
  /** A shell command that runs kubectl against this cluster. */
  'cluster.kubectlLine': { input: z.object({ cluster: name }), output: z.object({ line: z.string() }) },
});
