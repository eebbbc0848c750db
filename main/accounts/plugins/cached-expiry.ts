import { isSameTarget, type TargetName } from '../../domain/target/target.ts';
import type { Credential } from '../../ports/account.ts';

/** How the end is known of what the grants hold for an account that keeps nothing itself. */
export interface CachedExpiry {
  /** Milliseconds since 1970; null: it never expires, or none is cached. */
  expiresAt: number | null;
  /**
   * `nothing`: its plugin runs when a credential is requested. `read`: from the token or certificate, without a
   * promise.
   */
  endIs: 'nothing' | 'promised' | 'read';
}

/** An answer that may not be cached is for the request that waited for it. */
export function isKept({ noExpiry }: Pick<Credential, 'noExpiry'>): boolean {
  return noExpiry?.onlyFor?.length !== 0;
}

/** Of several the one that ends last. `target` null: of the account, whatever it was made for. */
export function cachedExpiry(
  held: readonly { target: TargetName | null; credential: Credential }[],
  target: TargetName | null,
): CachedExpiry {
  const ends = held
    .filter((each) => target === null || each.target === null || isSameTarget(each.target, target))
    .map(({ credential: { expiresAt, noExpiry } }): CachedExpiry => {
      const end = noExpiry ? noExpiry.ownExpiry : expiresAt;
      return { expiresAt: end, endIs: noExpiry && end !== null ? 'read' : 'promised' };
    });
  return ends.reduce((last, each) => (lasts(each) > lasts(last) ? each : last), ends[0] ?? nothing);
}

const nothing: CachedExpiry = { expiresAt: null, endIs: 'nothing' };

function lasts({ expiresAt }: CachedExpiry): number {
  return expiresAt ?? Number.POSITIVE_INFINITY;
}
