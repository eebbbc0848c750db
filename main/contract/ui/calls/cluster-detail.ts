import { z } from 'zod';
import { callClasses, callOutcomes, doorNames } from '../../doors.ts';
import { defineCalls } from '../call.ts';
import { credentialView } from '../credential.ts';

const name = z.string().min(1).max(128);
/** Milliseconds since 1970. */
const at = z.number();

/** Why an API server didn’t tell the user’s name. */
export const whoAmIFailure = z.enum([
  'rejected',
  'forbidden',
  'old',
  'untold',
  'unreachable',
  'tls',
  'proxy',
]);

export const clusterDetailCalls = defineCalls({
  /** The cluster’s cached credential, without secrets. Starts no login, runs no plugin, renews nothing. */
  'cluster.credential': {
    input: z.object({ cluster: name }),
    output: z.object({
      credential: credentialView.nullable(),
      /** Why there is no cached credential; null: there is one. */
      nothing: z.object({ message: z.string(), hint: z.string().nullable() }).nullable(),
      /** The plugin that it is from; null: it isn’t a plugin’s. */
      plugin: z
        .object({
          command: z.string(),
          forItsClientsAlone: z.boolean(),
          /** For each credential in use, the names of its callers’ variables that reached the plugin. */
          variables: z.array(z.array(z.string())),
        })
        .nullable(),
    }),
    background: true,
  },
  /** Asks the API server by SelfSubjectReview for the credential’s user. Renews an expired credential first. */
  'cluster.whoAmI': {
    input: z.object({ cluster: name }),
    output: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('known'),
        userName: z.string(),
        uid: z.string().nullable(),
        groups: z.array(z.string()),
        extra: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
      }),
      z.object({
        kind: z.literal('failed'),
        why: whoAmIFailure,
        /** What happened, as a clause: “10.0.0.1:6443 can’t be resolved (DNS)”. */
        happened: z.string(),
        /** The next step, where there is one. */
        hint: z.string().nullable(),
      }),
    ]),
  },
  /** The last calls, newest first. */
  'cluster.lastCalls': {
    input: z.object({ cluster: name, most: z.int().min(1).max(100) }),
    output: z.object({
      calls: z.array(
        z.object({
          id: z.number(),
          at,
          program: z.string().nullable(),
          pid: z.number(),
          door: z.enum(doorNames),
          outcome: z.enum(callOutcomes),
          class: z.enum(callClasses),
          reason: z.string(),
          microseconds: z.number(),
        }),
      ),
    }),
    background: true,
  },
});
