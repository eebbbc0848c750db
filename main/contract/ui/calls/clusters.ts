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
  /** A shell command that runs kubectl against this cluster. */
  'cluster.kubectlLine': { input: z.object({ cluster: name }), output: z.object({ line: z.string() }) },
  /**
   * Opens the broker’s own window, which asks before the system’s terminal opens with this cluster as kubectl’s current
   * context (rule: approval-outside-page).
   */
  'cluster.openTerminal': { input: z.object({ cluster: name }), output: z.object({}) },
});
