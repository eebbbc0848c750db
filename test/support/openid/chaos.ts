import { seededRandom } from '../storm-random.ts';
import type { Endpoint, Fault } from './faults.ts';

/**
 * Faults by chance, for storms. Each request at one of `endpoints` draws once; the rates are shares of all requests
 * and are tried in this order: errors, then stalls, then resets after handling. The same seed and the same order of
 * requests give the same faults. A fault that a test has set goes first.
 */
export interface Chaos {
  seed: number;
  /** Of 0 to 1: HTTP 500, HTTP 503 with Retry-After, or the connection ends; the provider sees none of these. */
  errorRate?: number;
  /** Of 0 to 1: the answer comes `stallMilliseconds` late; half of them are handled before the wait. */
  stallRate?: number;
  /** 5000 unless told otherwise. */
  stallMilliseconds?: number;
  /**
   * Of 0 to 1: handled, and then the connection ends without an answer. With rotation and no grace such a use of a
   * refresh token ends the login: whoever counts logins leaves this at 0, or takes a profile with a grace.
   */
  resetAfterHandlingRate?: number;
  /** What a 503 tells; 1 unless told otherwise. */
  retryAfterSeconds?: number;
  /** Where; discovery, jwks, device authorization and token unless told otherwise. */
  endpoints?: readonly Endpoint[];
}

const usualEndpoints: readonly Endpoint[] = ['discovery', 'jwks', 'device_authorization', 'token'];

/** What a request at an endpoint meets. */
export type ChaosDice = (endpoint: Endpoint) => Fault;

/** Throws where the rates are more than all requests. */
export function createChaosDice(chaos: Chaos): ChaosDice {
  const { errorRate = 0, stallRate = 0, resetAfterHandlingRate = 0, stallMilliseconds = 5000 } = chaos;
  if (errorRate + stallRate + resetAfterHandlingRate > 1) {
    throw new Error('the rates of a chaos are more than 1 together');
  }
  const random = seededRandom(chaos.seed);
  const endpoints = chaos.endpoints ?? usualEndpoints;
  return (endpoint) => {
    if (!endpoints.includes(endpoint)) {
      return { kind: 'none' };
    }
    const [draw, form] = [random(), random()];
    if (draw < errorRate) {
      return errors(chaos.retryAfterSeconds ?? 1)[Math.floor(form * 3)] ?? { kind: 'down' };
    }
    if (draw < errorRate + stallRate) {
      return { kind: 'slow', milliseconds: stallMilliseconds, when: form < 0.5 ? 'before' : 'after' };
    }
    if (draw < errorRate + stallRate + resetAfterHandlingRate) {
      return { kind: 'resetAfterHandling' };
    }
    return { kind: 'none' };
  };
}

const errors = (retryAfterSeconds: number): readonly Fault[] => [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503, retryAfterSeconds },
  { kind: 'down' },
];
