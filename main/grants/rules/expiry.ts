/** Where a credential stands (rule: issued-while-good). `renewDue`: it still has life, but less than its margin. */
export type Freshness = 'good' | 'renewDue' | 'expired';

/** When a credential is good, in milliseconds since 1970; null: no end, or a beginning that it doesn't say. */
export interface Life {
  issuedAt: number | null;
  expiresAt: number | null;
  /** What it holds: certificates live longer, their margin is smaller. */
  kind: 'token' | 'certificate';
}

/** When the broker first had it in hands, on both clocks, in milliseconds. */
export interface FirstSeen {
  wall: number;
  boottime: number;
}

const longestTokenMargin = 60_000;

/**
 * How long before its end a credential is renewed: for a token the lesser of 60 s and 10% of its life, for a
 * certificate 1% of its life. Where its beginning isn't known, life counts from when it was first seen.
 */
export function renewalMargin(life: Life, firstSeen: FirstSeen): number {
  if (life.expiresAt === null) {
    return 0;
  }
  const whole = Math.max(0, life.expiresAt - (life.issuedAt ?? firstSeen.wall));
  return life.kind === 'certificate' ? whole * 0.01 : Math.min(longestTokenMargin, whole * 0.1);
}

/**
 * Life left in milliseconds by the earlier of both clocks: a wall clock that was set back doesn't make a
 * credential live longer, and a machine that slept doesn't either.
 */
export function remainingLife(life: Life, firstSeen: FirstSeen, now: FirstSeen): number {
  if (life.expiresAt === null) {
    return Number.POSITIVE_INFINITY;
  }
  const byWall = life.expiresAt - now.wall;
  const byBoottime = life.expiresAt - firstSeen.wall - (now.boottime - firstSeen.boottime);
  return Math.min(byWall, byBoottime);
}

export function assess(life: Life, firstSeen: FirstSeen, now: FirstSeen): Freshness {
  const left = remainingLife(life, firstSeen, now);
  if (left <= 0) {
    return 'expired';
  }
  return left <= renewalMargin(life, firstSeen) ? 'renewDue' : 'good';
}

/**
 * The end that a client is told: less the margin, so that a long-running client comes back when the broker
 * renews and not when the server already refuses; the true end once the margin has begun. In whole seconds, rounded
 * down, as Go's metav1.Time knows no fractions: it is remembered as it is told, and who comes back then comes in time.
 */
export function expirationForClient(life: Life, firstSeen: FirstSeen, now: FirstSeen): number | null {
  if (life.expiresAt === null) {
    return null;
  }
  const early = wholeSeconds(life.expiresAt - renewalMargin(life, firstSeen));
  return early > now.wall ? early : wholeSeconds(life.expiresAt);
}

function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000) * 1000;
}
