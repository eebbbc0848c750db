import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { callStep } from './history.ts';

const name = z.string().min(1).max(128);
/** Milliseconds since 1970. */
const at = z.number();
const count = z.number();

/** KEP-541: at most 0.01% of the runs fail in a moving 24 hours. */
const callObjective = z.object({
  runs: count,
  failed: count,
  /** Those of `failed` with exit code 0 and no usable answer: client-go counts them as no error. */
  unusable: count,
  /** Null: no runs, so nothing to say. */
  isMet: z.boolean().nullable(),
  /** How many may fail, of so many runs. */
  allowed: count,
});

/** KEP-541: certificates are rotated within the last 1% of their lifetime. */
const rotationObjective = z.object({
  within: count,
  early: count,
  /** Of `early`, those after an inferred 401. */
  rejected: count,
  late: count,
  /** After the end, when somebody asked again: they count neither way. */
  idle: count,
  /** Null: no rotation that counts. */
  isMet: z.boolean().nullable(),
});

const trouble = z.enum(['rotatesTooOften', 'youngCertificates', 'callsRise', 'errorsRise']);
const health = { calls: callObjective, rotations: rotationObjective, troubles: z.array(trouble) };

/** Whose numbers; of all without either. */
const whose = { plugin: name.nullable(), cluster: name.nullable() };

export const metricsCalls = defineCalls({
  /** The objectives now: runs of the last 24 hours, rotations of the last `rotationDays`. */
  'metrics.objectives': {
    input: z.object({}),
    output: z.object({
      rotationDays: z.number(),
      plugins: z.array(
        z.object({
          account: z.string(),
          command: z.string(),
          ...health,
          /** The plugin's share for each cluster; null: for nobody's in particular. */
          clusters: z.array(z.object({ cluster: z.string().nullable(), ...health })),
          /** What is held of it, and its end; null: it has none, or it isn't known. */
          held: z.array(z.object({ cluster: z.string().nullable(), expiresAt: at.nullable() })),
        }),
      ),
      /** All names that calls were for, so that one can be chosen. */
      clusters: z.array(z.string()),
    }),
    background: true,
  },
  /** Numbers over time. Steps of an hour or longer begin with a whole hour. */
  'metrics.overTime': {
    input: z.object({ ...whose, since: z.int(), until: z.int(), steps: z.int().min(1).max(400) }),
    output: z.object({
      calls: z.array(callStep),
      /** Microseconds, of answers that no person was waited for; null: none. */
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
      /** The share by which such a time may be off. */
      answerErrorShare: z.number(),
      runs: z.array(
        z.object({
          since: at,
          until: at,
          counts: z.array(
            z.object({
              /** As rest_client_exec_plugin_call_total has them. */
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
      /** As rest_client_exec_plugin_certificate_rotation_age has them, but each for itself; null: longer. */
      rotationAges: z.array(z.object({ upToSeconds: z.number().nullable(), rotations: count })),
    }),
    background: true,
  },
  /** What the metrics endpoint serves, in Prometheus's text format: counts since the broker's start. */
  'metrics.text': { input: z.object({}), output: z.object({ text: z.string() }) },
});

export type PluginTroubleName = z.infer<typeof trouble>;
