import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { clusterDetailCalls } from './cluster-detail.ts';

const name = z.string().min(1).max(128);

export const registryCalls = defineCalls({
  /** Which credential an image would get, and what each pattern has to do with it. Reads no credential. */
  'registry.why': {
    /** As a pod names it: `ghcr.io/team/app:1.2`. */
    input: z.object({ image: z.string().min(1).max(12_000) }),
    output: z.object({
      /** With registry and path, without tag and digest. */
      image: z.string(),
      /** Null: no registry has a pattern for it. */
      chosen: z.object({ registry: z.string(), account: z.string(), pattern: z.string() }).nullable(),
      /** Why the chosen registry can’t be used now; null: it can. */
      problem: z.string().nullable(),
      patterns: z.array(
        z.object({
          registry: z.string(),
          pattern: z.string(),
          account: z.string(),
          matches: z.boolean(),
          chosen: z.boolean(),
          /** Empty: there is nothing to say. */
          why: z.string(),
        }),
      ),
    }),
  },
  /**
   * Whether its account has a credential that the registry could take. An expired one is renewed first; no login begins,
   * no plugin runs, and the registry isn’t contacted.
   */
  'registry.test': {
    input: z.object({ registry: name }),
    output: z.object({
      /** Null: none was found. `expiresAt`: milliseconds since 1970; null: it never expires. */
      credential: z.object({ userName: z.string(), expiresAt: z.number().nullable() }).nullable(),
      /** Why there is none, and what to do. */
      nothing: z.object({ message: z.string(), hint: z.string().nullable() }).nullable(),
      /** Why a kubelet would get none although docker would; null: it would. */
      notForKubelets: z.string().nullable(),
    }),
  },
  /** The last requests for its credential, newest first. */
  'registry.lastCalls': {
    input: z.object({ registry: name, most: z.int().min(1).max(100) }),
    output: clusterDetailCalls['cluster.lastCalls'].output,
    background: true,
  },
});
