import { z } from 'zod';
import { parseJson } from '../base/parse-json.ts';
import { Secret } from '../base/secret.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import type { Credential } from '../ports/account.ts';
import type { SecretValue } from '../ports/hub-secrets.ts';
import type { ClusterReach } from './cluster-reach.ts';
import { openAnswer, readPieces } from './open-answer.ts';

/** The answer to the question for one value of a Secret. */
export type ReadSecret =
  | { kind: 'found'; text: Secret }
  /** The server answers, and not with the Secret. */
  | { kind: 'status'; status: number; retryAfterSeconds: number | null }
  | { kind: 'noKey' }
  | { kind: 'notText' }
  /** Something else than the Secret that was asked for. */
  | { kind: 'notASecret' };

/** A Secret’s data has 1 MiB at most; in base64, with its metadata. */
const answerBytes = 4 * 1024 * 1024;

const secret = z.object({
  kind: z.literal('Secret'),
  metadata: z.object({ name: z.string(), namespace: z.string() }),
  data: z.record(z.string(), z.unknown()).nullish(),
});

/** Asks an API server for one value of a Secret. Throws HttpFailure, or BrokerError where an address is none. */
export async function readSecret(
  cluster: LoadedCluster,
  credential: Credential,
  reach: ClusterReach,
  { namespace, name, key }: SecretValue,
  signal: AbortSignal,
): Promise<ReadSecret> {
  const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
  const answer = await openAnswer(cluster, reach, { method: 'GET', path, credential }, signal);
  try {
    const { status, retryAfterSeconds, pieces } = answer;
    return status === 200
      ? valueIn((await readPieces(pieces, answerBytes)).toString('utf8'), { namespace, name, key })
      : { kind: 'status', status, retryAfterSeconds };
  } finally {
    answer.end();
  }
}

function valueIn(text: string, { namespace, name, key }: SecretValue): ReadSecret {
  const parsed = secret.safeParse(parseJson(text));
  if (!parsed.success || parsed.data.metadata.name !== name || parsed.data.metadata.namespace !== namespace) {
    return { kind: 'notASecret' };
  }
  const { data } = parsed.data;
  const value = data && Object.hasOwn(data, key) ? data[key] : undefined;
  return value === undefined || value === null || value === '' ? { kind: 'noKey' } : decoded(value);
}

/** As Go’s encoding/json reads bytes: whole groups of four, and of other characters only line ends. */
function decoded(value: unknown): ReadSecret {
  const base64 = typeof value === 'string' ? value.replace(/[\r\n]/g, '') : '';
  if (base64 === '' || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    return { kind: 'notASecret' };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(base64, 'base64'),
    );
    return { kind: 'found', text: new Secret(text) };
  } catch {
    return { kind: 'notText' };
  }
}
