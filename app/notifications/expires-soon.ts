import { healthOf } from '../../main/contract/ui/health.ts';
import type { AccountView, UiState } from '../../main/contract/ui/state.ts';

/**
 * How long before its expiry the user is told about an OIDC token that isn't renewed. Such tokens live for an hour or
 * a day.
 */
const noticeMilliseconds = 15 * 60_000;

/**
 * When the account's credential expires, in milliseconds since 1970, if that is soon and only the user can replace
 * it. Else null: the credential is renewed automatically, or fetched on request.
 */
export function expiresSoon(
  account: Pick<
    AccountView,
    'name' | 'kind' | 'state' | 'byHand' | 'expiresAt' | 'problem' | 'clusters' | 'registries'
  >,
  { clusters, registries }: Pick<UiState, 'clusters' | 'registries'>,
  at: number,
): number | null {
  const { kind, state, byHand, expiresAt } = account;
  if (state !== 'ready' || !byHand || expiresAt === null || expiresAt <= at) {
    return null;
  }
  const served = [
    ...account.clusters.flatMap((name) => (Object.hasOwn(clusters, name) ? (clusters[name] ?? []) : [])),
    ...account.registries.flatMap((name) =>
      Object.hasOwn(registries, name) ? (registries[name] ?? []) : [],
    ),
  ];
  if (kind === 'oidc') {
    const token = served.find(({ credential }) => credential?.expiresAt === expiresAt)?.credential;
    const issuedAt = token?.issuedAt ?? null;
    // Doesn't warn a user who has just logged in for ten minutes.
    const life = issuedAt === null ? Number.POSITIVE_INFINITY : expiresAt - issuedAt;
    return expiresAt - at < Math.min(noticeMilliseconds, life / 2) ? expiresAt : null;
  }
  // As its clusters and registries show it. An account without any doesn't expire soon.
  const isSoon = served.some((each) => healthOf(each, at) === 'soon');
  return isSoon ? expiresAt : null;
}
