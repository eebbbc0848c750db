import { z } from 'zod';
import { defineCalls } from '../call.ts';

const name = z.string().min(1).max(128);

export const clusterCalls = defineCalls({
  /** Renews what is held for the cluster now, without a person. */
  'cluster.renew': {
    input: z.object({ cluster: name }),
    output: z.object({ expiresAt: z.number().nullable() }),
  },
  /** A line that runs kubectl against this cluster, for a shell. */
  'cluster.kubectlLine': { input: z.object({ cluster: name }), output: z.object({ line: z.string() }) },
});
