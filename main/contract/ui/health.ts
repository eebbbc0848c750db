import type { ClusterView } from './state.ts';

/**
 * The health of a cluster, registry or account for its user, in every view, the tray and notifications. `need`: only the user can go on. `bad`: it fails, and the user can’t fix it here.
 * `soon`: the user has to replace it soon, or its renewal is late or failed. `good`: it works. `idle`: no valid
 * credential is cached; one is fetched at the next request. `locked`: Lanyard is locked.
 */
export type Health = 'good' | 'soon' | 'need' | 'bad' | 'locked' | 'idle';

/** With less time left, a credential expires soon that the user has to replace, or whose renewal failed. */
const soonMilliseconds = 15 * 60_000;

type Told = Pick<ClusterView, 'state' | 'kind' | 'credential' | 'problem' | 'byHand'>;

/** The health at `now`, in milliseconds since 1970, of a cluster, registry or account. */
export function healthOf(of: Told, now: number): Health {
  switch (of.state) {
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
      return ofCredential(of, now);
  }
}

/**
 * What is renewed without the user never expires soon only because its time runs out: a credential that nobody used
 * lately isn’t renewed ahead, but fetched when a program asks.
 */
function ofCredential({ kind, credential, problem, byHand }: Omit<Told, 'state'>, now: number): Health {
  const hasFailed = problem !== null || (credential !== null && credential.trouble !== null);
  if (!credential) {
    return hasFailed ? 'bad' : 'idle';
  }
  const { expiresAt, renewsAt } = credential;
  if (expiresAt === null) {
    return 'good';
  }
  if (expiresAt <= now) {
    return hasFailed || byHand ? 'bad' : 'idle';
  }
  if (byHand) {
    return expiresSoon(kind, credential, now) ? 'soon' : 'good';
  }
  if (isLate(credential, now)) {
    return 'soon';
  }
  const isTooLate = renewsAt !== null && renewsAt >= expiresAt;
  return expiresAt - now < soonMilliseconds && (hasFailed || isTooLate) ? 'soon' : 'good';
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

/** Of a credential that only the user can renew. All times are in milliseconds since 1970. */
export function expiresSoon(kind: Told['kind'], credential: Lifetime, now: number): boolean {
  return credential.expiresAt !== null && credential.expiresAt - now < noticeOf(kind, credential);
}

type Lifetime = Pick<NonNullable<Told['credential']>, 'issuedAt' | 'expiresAt'>;

/**
 * How long before expiry the user gets notice, where only they can renew: a tenth of its life, between 15 minutes and a
 * week. A login’s token lives for an hour or a day: 15 minutes, or half of its life, so that who has just logged in for
 * ten minutes isn’t warned.
 */
function noticeOf(kind: Told['kind'], { issuedAt, expiresAt }: Lifetime): number {
  const life = issuedAt === null || expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt - issuedAt;
  return kind === 'oidc'
    ? Math.min(soonMilliseconds, life / 2)
    : Math.max(soonMilliseconds, Math.min(weekMilliseconds, life / 10));
}
