import type { LoadedCluster } from '../ports/config-store.ts';
import type { ClusterReach } from './cluster-reach.ts';
import { type ClusterQuestion, openAnswer, readPieces } from './open-answer.ts';

/** One request to an API server. */
export interface ClusterRequest extends ClusterQuestion {
  /** How much of the answer is read; 0: its status alone counts. More than that is a failure. */
  answerBytes: number;
}

export interface ClusterAnswer {
  status: number;
  text: string;
}

/** Asks an API server as `openAnswer` does, and reads the whole answer. Throws what that throws. */
export async function askCluster(
  cluster: LoadedCluster,
  reach: ClusterReach,
  { answerBytes, ...question }: ClusterRequest,
  signal: AbortSignal,
): Promise<ClusterAnswer> {
  const answer = await openAnswer(cluster, reach, question, signal);
  try {
    const { status, pieces } = answer;
    return {
      status,
      text: answerBytes === 0 ? '' : (await readPieces(pieces, answerBytes)).toString('utf8'),
    };
  } finally {
    answer.end();
  }
}
