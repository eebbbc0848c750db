import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { clusterDetailCalls } from './cluster-detail.ts';

const name = z.string().min(1).max(128);

/** What a registry says of a login, in words. */
const registryAnswer = z.object({
  /**
   * `noAccess`: accepted, and the image may not be pulled. `open`: it answers without a credential, which says nothing of
   * one. `untrusted`: it wants the credential sent where it may not go.
   */
  outcome: z.enum(['accepted', 'rejected', 'noAccess', 'open', 'unreachable', 'untrusted', 'unclear']),
  message: z.string(),
  hint: z.string().nullable(),
});
export type RegistryAnswer = z.output<typeof registryAnswer>;

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
   * Whether the registry accepts its account’s credential. An expired one is renewed first; no login begins and no plugin
   * runs. The credential goes to the registry, and to a token server that may have it (rule: realm-trust).
   */
  'registry.test': {
    input: z.object({
      registry: name,
      /** As in `registry.why`: whether it may be pulled. Null: the login alone, if the patterns name one host. */
      image: z.string().min(1).max(12_000).nullable(),
    }),
    output: z.object({
      /** Null: none was found. `expiresAt`: milliseconds since 1970; null: it never expires. */
      credential: z.object({ userName: z.string(), expiresAt: z.number().nullable() }).nullable(),
      /** Why there is none, and what to do. */
      nothing: z.object({ message: z.string(), hint: z.string().nullable() }).nullable(),
      /** Why a kubelet would get none although docker would; null: it would. */
      notForKubelets: z.string().nullable(),
      /** What the registry says; null: it was not asked. */
      answer: registryAnswer.nullable(),
    }),
  },
  /** The last requests for its credential, newest first. */
  'registry.lastCalls': {
    input: z.object({ registry: name, most: z.int().min(1).max(100) }),
    output: clusterDetailCalls['cluster.lastCalls'].output,
    background: true,
  },
});
