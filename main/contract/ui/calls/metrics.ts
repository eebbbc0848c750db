import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { callStep } from './history.ts';

const name = z.string().min(1).max(128);
/** Milliseconds since 1970. */
const at = z.number();
const count = z.number();

/** KEP-541: at most 0.01% of the runs fail in a moving window of 24 hours. */
const callObjective = z.object({
  runs: count,
  failed: count,
  /** Those of `failed` with exit code 0 and no usable output: client-go doesn’t count them as errors. */
  unusable: count,
  /** Null: there were no runs. */
  isMet: z.boolean().nullable(),
  /** How many of that many runs may fail. */
  allowed: count,
});

/** KEP-541: certificates are rotated within the last 1% of their lifetime. */
const rotationObjective = z.object({
  within: count,
  early: count,
  /** Those of `early` after an inferred 401. */
  rejected: count,
  late: count,
  /** After the certificate had expired, at the next request. They don’t count for the objective. */
  idle: count,
  /** Null: no rotation counts. */
  isMet: z.boolean().nullable(),
});

const trouble = z.enum(['rotatesTooOften', 'youngCertificates', 'callsRise', 'errorsRise']);
const health = { calls: callObjective, rotations: rotationObjective, troubles: z.array(trouble) };

/** The plugin or cluster whose numbers these are; both null: of all. */
const whose = { plugin: name.nullable(), cluster: name.nullable() };

export const metricsCalls = defineCalls({
  /** The objectives now: runs of the last 24 hours, rotations of the last `rotationDays` days. */
  'metrics.objectives': {
    input: z.object({}),
    output: z.object({
      rotationDays: z.number(),
      plugins: z.array(
        z.object({
          account: z.string(),
          command: z.string(),
          ...health,
          /** The plugin’s runs by cluster; null: for no particular cluster. */
          clusters: z.array(z.object({ cluster: z.string().nullable(), ...health })),
          /** Its cached credentials and when they expire; `expiresAt` null: never, or unknown. */
          held: z.array(z.object({ cluster: z.string().nullable(), expiresAt: at.nullable() })),
        }),
      ),
      /** The names of all clusters that calls were for, for a choice. */
      clusters: z.array(z.string()),
    }),
    background: true,
  },
  /** Numbers over time. Steps of an hour or more begin at a full hour. */
  'metrics.overTime': {
    input: z.object({ ...whose, since: z.int(), until: z.int(), steps: z.int().min(1).max(400) }),
    output: z.object({
      calls: z.array(callStep),
      /** Microseconds, of answers that didn’t wait for the user; null: there were none. */
      answers: z.array(
        z.object({
          since: at,
          until: at,
          answers: count,
          p50: z.number().nullable(),
          p90: z.number().nullable(),
          p99: z.number().nullable(),
        }),
      ),
      runs: z.array(
        z.object({
          since: at,
          until: at,
          counts: z.array(
            z.object({
              /** The values of rest_client_exec_plugin_call_total. */
              callStatus: z.enum([
                'no_error',
                'plugin_execution_error',
                'plugin_not_found_error',
                'client_internal_error',
              ]),
              exitCode: z.number(),
              answered: z.boolean(),
              runs: count,
            }),
          ),
        }),
      ),
      /** The buckets of rest_client_exec_plugin_certificate_rotation_age, not cumulative; null: longer. */
      rotationAges: z.array(z.object({ upToSeconds: z.number().nullable(), rotations: count })),
    }),
    background: true,
  },
  /** The text of the metrics endpoint, in Prometheus’s format: counts since the broker’s start. */
  'metrics.text': { input: z.object({}), output: z.object({ text: z.string() }) },
});

export type PluginTroubleName = z.infer<typeof trouble>;
