import type { ClusterView } from './state.ts';

/**
 * A cluster’s health for its user. `need`: only the user can go on. `bad`: it fails, and the user can’t fix it here.
 * `soon`: it expires soon and no renewal is due before, or its renewal is late. `good`: it works. `idle`: no valid
 * credential is cached; one is fetched at the next request. `locked`: Lanyard is locked.
 */
export type Health = 'good' | 'soon' | 'need' | 'bad' | 'locked' | 'idle';

/** With less time left, and no renewal due before it expires, a credential expires soon. */
export const soonMilliseconds = 15 * 60_000;

/** The cluster’s health at `now`, in milliseconds since 1970. */
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
  // Only the user can replace it.
  const byHand = kind === 'clientCertificate' || kind === 'staticToken' || kind === 'pkcs11';
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

/** The renewal is overdue by more than 30 s, or failed and is tried again within an hour. */
function isLate({ renewsAt, trouble }: NonNullable<ClusterView['credential']>, now: number): boolean {
  return (
    renewsAt !== null &&
    (renewsAt < now - lateMilliseconds || (trouble !== null && renewsAt < now + retryMilliseconds))
  );
}

const lateMilliseconds = 30_000;
/** A renewal that failed ahead of time waits until it is due. One that is tried again sooner was due. */
const retryMilliseconds = 3_600_000;
const weekMilliseconds = 604_800_000;

/**
 * How long before expiry the user gets notice, where only they can renew: a tenth of its life, between 15 minutes and a
 * week.
 */
function noticeOf({ issuedAt, expiresAt }: NonNullable<ClusterView['credential']>): number {
  const life = issuedAt === null || expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt - issuedAt;
  return Math.max(soonMilliseconds, Math.min(weekMilliseconds, life / 10));
}
