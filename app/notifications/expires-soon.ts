import { healthOf } from '../../main/contract/ui/health.ts';
import type { AccountView, UiState } from '../../main/contract/ui/state.ts';

/** An OIDC token that isn't renewed lives for an hour, or for a day: how long before its expiry the user is told. */
const noticeMilliseconds = 15 * 60_000;

/**
 * When the account's credential expires, in milliseconds since 1970, where that is soon and only the user can replace
 * it; else null. What is renewed automatically, or fetched on request, expires unnoticed.
 */
export function expiresSoon(
  account: Pick<AccountView, 'name' | 'kind' | 'state' | 'byHand' | 'expiresAt' | 'problem' | 'clusters'>,
  clusters: UiState['clusters'],
  at: number,
): number | null {
  const { kind, state, byHand, expiresAt } = account;
  if (state !== 'ready' || !byHand || expiresAt === null || expiresAt <= at) {
    return null;
  }
  const served = account.clusters.flatMap((name) =>
    Object.hasOwn(clusters, name) ? (clusters[name] ?? []) : [],
  );
  if (kind === 'oidc') {
    const token = served.find(({ credential }) => credential?.expiresAt === expiresAt)?.credential;
    const issuedAt = token?.issuedAt ?? null;
    // Who has just logged in for ten minutes needn't hear of it.
    const life = issuedAt === null ? Number.POSITIVE_INFINITY : expiresAt - issuedAt;
    return expiresAt - at < Math.min(noticeMilliseconds, life / 2) ? expiresAt : null;
  }
  // As its clusters show it. For an account without clusters it doesn't matter.
  const isSoon = served.some((cluster) => healthOf(cluster, at) === 'soon');
  return isSoon ? expiresAt : null;
}
