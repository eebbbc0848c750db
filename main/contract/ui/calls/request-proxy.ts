import { z } from 'zod';
import { shownTry } from '../../shown-try.ts';
import { defineCalls } from '../call.ts';

const name = z.string().min(1).max(128);

/** A request that goes through the request proxy now. */
const proxiedRequest = z.object({
  id: z.int(),
  /** The process that it is from, and its program’s file name; null: unknown. */
  pid: z.number(),
  program: z.string().nullable(),
  method: z.string(),
  /** Without the query. */
  path: z.string(),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
  bytesUp: z.number(),
  bytesDown: z.number(),
});
export type ProxiedRequestView = z.infer<typeof proxiedRequest>;

export const requestProxyCalls = defineCalls({
  /** What the request proxy does for a cluster: its steps in words, and what is under way, oldest first. */
  'proxy.cluster': {
    input: z.object({ cluster: name }),
    output: z.object({
      /** Each a sentence in parts; an account’s name stands alone. Null: it doesn’t go through the request proxy. */
      steps: z.array(z.array(z.union([z.string(), z.object({ account: z.string() })]))).nullable(),
      /** The port of 127.0.0.1; null: it isn’t running. */
      port: z.number().nullable(),
      faults: z.array(z.string()),
      /** At most 200. */
      requests: z.array(proxiedRequest),
      /** How many are under way. */
      total: z.number(),
      /** Listeners of one client’s own that are open. */
      listeners: z.number(),
    }),
    background: true,
  },
  /** Ends a request of this cluster: its program sees a broken connection. */
  'proxy.end': { input: z.object({ cluster: name, id: z.int() }), output: z.object({}) },
  /**
   * Makes a GET request to a proxied cluster as a client’s would go, at most for 60 s, and says what each step made of it.
   * `path`: below the cluster’s own address, with its query.
   */
  'proxy.try': { input: z.object({ cluster: name, path: z.string().max(8192) }), output: shownTry },
});
