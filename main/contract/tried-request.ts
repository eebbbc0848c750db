import { z } from 'zod';

/**
 * What became of a request that Lanyard made itself, to show how a proxied cluster gets it: step by step. No secret is in
 * it: the data plane blanks values before it tells them (native-helper/proxy/src). A value of null is a blanked one.
 */

const header = z.tuple([z.string(), z.string().nullable()]);

/** What a step changed. `removed`: its value is null, too. */
export const headerChange = z.object({
  header: z.string(),
  value: z.string().nullable(),
  how: z.enum(['set', 'added', 'removed']),
});

export const triedStep = z.object({
  kind: z.enum(['set', 'add', 'remove', 'removePrefix', 'signAws', 'signProgram']),
  changes: z.array(headerChange),
  /** AWS Signature Version 4, as it was signed: where a service says another, the first line that differs is the fault. */
  canonicalRequest: z.string().nullable(),
  stringToSign: z.string().nullable(),
  microseconds: z.number(),
});

/** One time that it was sent. */
export const triedAttempt = z.object({
  /** `rejected`: with renewed credentials, after a 401. `clock`: signed again with the time of the cluster’s answer. */
  why: z.enum(['first', 'rejected', 'clock']),
  steps: z.array(triedStep),
  /** As sent. */
  headers: z.array(header),
  /** Of HTTP; null: there was no answer. */
  status: z.number().nullable(),
  /** How long the broker took to work out the chain. */
  chainMicroseconds: z.number(),
  /** From sending it to the head of the answer, a new connection included; null: there was none. */
  answeredMicroseconds: z.number().nullable(),
});

export const triedRequest = z.object({
  /** Where it was sent. */
  url: z.string(),
  attempts: z.array(triedAttempt),
  answer: z
    .object({
      status: z.number(),
      headers: z.array(header),
      /** Of the body. */
      bytes: z.number(),
      /** Its beginning, where the status is 400 or more and it is text. */
      body: z.string().nullable(),
    })
    .nullable(),
  /** Why the proxy answered, and not the cluster; with an answer, why that isn’t whole. Null: all went well. */
  fault: z.string().nullable(),
  /** What a client would have got of the proxy, of HTTP; null: the cluster’s answer. */
  faultStatus: z.number().nullable().default(null),
  /** How long it took to connect; null: a kept connection was used. */
  connectedMicroseconds: z.number().nullable(),
  totalMicroseconds: z.number(),
});
export type TriedRequest = z.infer<typeof triedRequest>;
