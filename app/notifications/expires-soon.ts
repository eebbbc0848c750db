import { healthOf } from '../../main/contract/ui/health.ts';
import type { AccountView } from '../../main/contract/ui/state.ts';

/**
 * When the account's credential expires, in milliseconds since 1970, if that is soon and only the user can replace
 * it. Else null: the credential is renewed automatically, or fetched on request. An account that serves nothing doesn't
 * expire soon.
 */
export function expiresSoon(
  account: Pick<
    AccountView,
    'kind' | 'state' | 'byHand' | 'credential' | 'problem' | 'clusters' | 'registries'
  >,
  at: number,
): number | null {
  const { byHand, credential, clusters, registries } = account;
  const servesAny = clusters.length > 0 || registries.length > 0;
  return byHand && servesAny && healthOf(account, at) === 'soon' ? (credential?.expiresAt ?? null) : null;
}
