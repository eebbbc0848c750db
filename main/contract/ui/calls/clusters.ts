import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { entry } from './entries.ts';
import { finding } from './finding.ts';

const name = z.string().min(1).max(128);

const testedCluster = z.object({
  findings: z.array(finding),
  /** The CA that the server states itself, where its certificate is of an unknown one; null: none, or not needed. */
  authority: z
    .object({
      /** As certificateAuthorityData takes it. */
      data: z.string(),
      /** As openssl prints them, for the user to compare. */
      certificates: z.array(z.object({ fingerprint: z.string(), subject: z.string(), expires: z.string() })),
    })
    .nullable(),
});
export type TestedCluster = z.infer<typeof testedCluster>;

const renewedGrant = z.object({
  /** Names of its callers’ variables that reached the plugin. */
  variables: z.array(z.string()),
  /** Milliseconds since 1970; null: it never expires, or wasn’t renewed. */
  expiresAt: z.number().nullable(),
  /** Why it wasn’t renewed; null: it was. */
  failure: z.string().nullable(),
});
export type RenewedGrantView = z.infer<typeof renewedGrant>;

export const clusterCalls = defineCalls({
  /**
   * Renews the cluster’s credentials in use now, without the user: one for each set of variables with which callers
   * requested it. Fails if none is renewed.
   */
  'cluster.renew': {
    input: z.object({ cluster: name }),
    output: z.object({ renewed: z.array(renewedGrant).min(1) }),
  },
  /**
   * Tests a cluster as it is typed, without saving it: whether its server answers, whose CA it has, whether its account
   * is ready. Sends no credential.
   */
  'cluster.test': { input: z.object({ entry }), output: testedCluster },
  /** Keeps the cluster at the top of the list, or no longer: `favorites` of config.yaml. Needs no vault: it is never approved. */
  'cluster.favorite': {
    input: z.object({ cluster: name, favorite: z.boolean() }),
    output: z.object({}),
  },
  /** A shell command that runs kubectl against this cluster. */
  'cluster.kubectlLine': { input: z.object({ cluster: name }), output: z.object({ line: z.string() }) },
  /**
   * Opens the broker’s own window, which asks before the system’s terminal opens with this cluster as kubectl’s current
   * context (rule: approval-outside-page).
   */
  'cluster.openTerminal': { input: z.object({ cluster: name }), output: z.object({}) },
});
