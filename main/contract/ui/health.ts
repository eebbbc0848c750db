import type { ClusterView } from './state.ts';

/**
 * How a cluster stands, for a person. `need`: only a person can go on. `bad`: it fails, whatever a person does here.
 * `soon`: it ends soon and is not known to renew by itself, or should have been renewed and was not. `good`: it works. `idle`: nothing is held, and it comes by
 * itself when it is asked for. `locked`: Lanyard is.
 */
export type Health = 'good' | 'soon' | 'need' | 'bad' | 'locked' | 'idle';

/** With less life than this, and no renewal of its own that is due before its end, it ends soon. */
export const soonMilliseconds = 15 * 60_000;

/** How a cluster stands at a moment, milliseconds since 1970. */
export function healthOf(
  cluster: Pick<ClusterView, 'state' | 'kind' | 'credential' | 'problem'>,
  now: number,
): Health {
  switch (cluster.state) {
    case 'locked':
      return 'locked';
    case 'loginNeeded':
    case 'interrupted':
    case 'secretMissing':
    case 'expired':
    case 'held':
      return 'need';
    case 'rejecting':
    case 'failing':
    case 'invalid':
    case 'unknownAccount':
      return 'bad';
    case 'ready':
      return ofCredential(cluster, now);
  }
}

function ofCredential(
  { kind, credential, problem }: Pick<ClusterView, 'kind' | 'credential' | 'problem'>,
  now: number,
): Health {
  if (!credential) {
    return problem === null ? 'idle' : 'bad';
  }
  const { expiresAt, renewsAt } = credential;
  // Nothing but a person's hand replaces it.
  const byHand = kind === 'clientCertificate' || kind === 'staticToken';
  if (expiresAt === null) {
    return 'good';
  }
  if (expiresAt <= now) {
    return problem === null && !byHand ? 'idle' : 'bad';
  }
  if (byHand) {
    return expiresAt - now < noticeOf(credential) ? 'soon' : 'good';
  }
  if (isLate(credential, now)) {
    return 'soon';
  }
  const renews = renewsAt !== null && renewsAt < expiresAt;
  const isNear = expiresAt - now < soonMilliseconds;
  return isNear && (!renews || problem !== null) ? 'soon' : 'good';
}

/** Its renewal is overdue by more than a moment, or failed when it was due and is tried again. */
function isLate({ renewsAt, trouble }: NonNullable<ClusterView['credential']>, now: number): boolean {
  return (
    renewsAt !== null &&
    (renewsAt < now - lateMilliseconds || (trouble !== null && renewsAt < now + retryMilliseconds))
  );
}

const lateMilliseconds = 30_000;
/** What failed ahead of its time is left alone until it is due; what is tried again sooner was due. */
const retryMilliseconds = 3_600_000;
const weekMilliseconds = 604_800_000;

/** So long before its end a person should know of what only they replace: the last tenth of its life, a week at most. */
function noticeOf({ issuedAt, expiresAt }: NonNullable<ClusterView['credential']>): number {
  const life = issuedAt === null || expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt - issuedAt;
  return Math.max(soonMilliseconds, Math.min(weekMilliseconds, life / 10));
}
