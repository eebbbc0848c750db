import { z } from 'zod';
import { parseJson } from '../base/parse-json.ts';
import { toRefusal } from '../contract/broker-error.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import { statusVerdict } from '../grants/status-verdict.ts';
import { HttpFailure } from '../platform/network/http-failure.ts';
import type { Credential } from '../ports/account.ts';
import type { LoadedCluster } from '../ports/config-store.ts';
import type { Verdict } from '../ports/target-probe.ts';
import { askCluster, type ClusterAnswer } from './ask-cluster.ts';
import type { ClusterReach } from './cluster-reach.ts';

/** More that an API server knows of the user, from its authenticator. */
export interface Extra {
  name: string;
  values: readonly string[];
}

/** What an API server says about the user. Names are safe to show. */
export type WhoAmI =
  | {
      kind: 'known';
      userName: string;
      groups: readonly string[];
      uid: string | null;
      extra: readonly Extra[];
    }
  /** 401: it does not take the credential. */
  | { kind: 'rejected' }
  /** It answers, and does not tell: 404 (older than SelfSubjectReview), 403, or something else. */
  | { kind: 'untold'; status: number }
  | { kind: 'unreachable'; failure: HttpFailure };

/** Since Kubernetes 1.28, 1.27 and 1.26 (KEP-3325). */
const versions = ['v1', 'v1beta1', 'v1alpha1'] as const;

const answerBytes = 1024 * 1024;

const review = z.object({
  status: z.object({
    userInfo: z.object({
      username: z.string().default(''),
      groups: z.array(z.string()).default([]),
      uid: z.string().default(''),
      extra: z.record(z.string(), z.array(z.string())).default({}),
    }),
  }),
});

/** Asks an API server by SelfSubjectReview as whom it sees the holder of `credential`. Never throws. */
export async function whoAmI(
  cluster: LoadedCluster,
  credential: Credential,
  reach: ClusterReach,
  signal: AbortSignal,
): Promise<WhoAmI> {
  try {
    let status = 404;
    for (const version of versions) {
      const apiVersion = `authentication.k8s.io/${version}`;
      const answer = await askCluster(
        cluster,
        reach,
        {
          method: 'POST',
          path: `/apis/${apiVersion}/selfsubjectreviews`,
          body: { apiVersion, kind: 'SelfSubjectReview' },
          credential,
          answerBytes,
        },
        signal,
      );
      status = answer.status;
      if (status !== 404) {
        return told(answer);
      }
    }
    return { kind: 'untold', status };
  } catch (error) {
    return { kind: 'unreachable', failure: failureOf(error) };
  }
}

/** As the answer to whether the cluster takes the credential: what it tells beside that doesn't count. */
export function verdictOf(seen: WhoAmI): Verdict {
  switch (seen.kind) {
    case 'known':
      return 'accepted';
    case 'rejected':
      return 'rejected';
    case 'untold':
      return statusVerdict(seen.status);
    case 'unreachable':
      return 'unknown';
  }
}

/** Sends no credential, so that only the connection counts: null where the server itself answers with any status. */
export async function reachCluster(
  cluster: LoadedCluster,
  reach: ClusterReach,
  signal: AbortSignal,
): Promise<HttpFailure | null> {
  try {
    const asked = { method: 'GET', path: '/version', credential: null, answerBytes: 0 } as const;
    await askCluster(cluster, reach, asked, signal);
    return null;
  } catch (error) {
    return failureOf(error);
  }
}

function told({ status, text }: ClusterAnswer): WhoAmI {
  if (status === 401) {
    return { kind: 'rejected' };
  }
  const parsed = status === 200 || status === 201 ? review.safeParse(parseJson(text)) : null;
  if (!parsed?.success) {
    return { kind: 'untold', status };
  }
  const { username, groups, uid, extra } = parsed.data.status.userInfo;
  return {
    kind: 'known',
    userName: visibleText(username, 200),
    groups: listed(groups),
    uid: uid === '' ? null : visibleText(uid, 200),
    extra: Object.entries(extra)
      .slice(0, 50)
      .map(([name, values]) => ({ name: visibleText(name, 200), values: listed(values) })),
  };
}

function listed(texts: readonly string[]): string[] {
  return texts.slice(0, 100).map((text) => visibleText(text, 200));
}

function failureOf(error: unknown): HttpFailure {
  // Lanyard itself didn't ask: it is locked, or its request proxy can't be started.
  return error instanceof HttpFailure
    ? error
    : new HttpFailure('requestProxy', false, null, { refusal: toRefusal(error) });
}
