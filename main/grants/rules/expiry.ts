/** The state of a credential (rule: issued-while-good). `renewDue`: it still has life, but less than its margin. */
export type Freshness = 'good' | 'renewDue' | 'expired';

/** When a credential is valid, in milliseconds since 1970; null: it never expires, or its start isn't stated. */
export interface Life {
  issuedAt: number | null;
  expiresAt: number | null;
  /** What it contains: certificates live longer, their margin is smaller. */
  kind: 'token' | 'certificate';
}

/** When the broker first had it, on both clocks, in milliseconds. */
export interface FirstSeen {
  wall: number;
  boottime: number;
}

/** How long a credential counts as in use after it was last issued: for its own life, within these bounds. */
const inUse = { least: 3_600_000, most: 86_400_000 };

export function inUseMilliseconds(wholeLife: number): number {
  return Math.min(inUse.most, Math.max(inUse.least, wholeLife));
}

const longestTokenMargin = 60_000;

/**
 * How long before its expiry a credential is renewed, in milliseconds: for a token the lesser of 60 s and 10% of its
 * life, for a certificate 1% of its life. Where its start isn't known, life counts from when it was first seen.
 */
export function renewalMargin(life: Life, firstSeen: FirstSeen): number {
  if (life.expiresAt === null) {
    return 0;
  }
  const whole = Math.max(0, life.expiresAt - (life.issuedAt ?? firstSeen.wall));
  return life.kind === 'certificate' ? whole * 0.01 : Math.min(longestTokenMargin, whole * 0.1);
}

/**
 * Life left in milliseconds, by the clock that shows less: a wall clock that was set back doesn't extend a
 * credential's life, and neither does a machine's sleep.
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
 * The expiry that a client is told: less the margin, so that a long-running client comes back when the broker renews
 * and not when the server already rejects; the true expiry once the margin has begun. Rounded down to seconds, as
 * Go's metav1.Time has no fractions: the rounded value is remembered, so that a client that comes back then is in
 * time.
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
