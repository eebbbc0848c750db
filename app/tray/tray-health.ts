import { type Health, healthOf } from '../../main/contract/ui/health.ts';
import type { ClusterView, UiState } from '../../main/contract/ui/state.ts';

/**
 * A cluster's or registry's health for a user who is doing something else. A credential that was not used recently isn’t renewed
 * ahead, but fetched when it is requested. So it doesn’t count as expiring soon, unless its last renewal failed.
 * `now`: milliseconds since 1970.
 */
export function trayHealth(
  cluster: Pick<ClusterView, 'state' | 'kind' | 'account' | 'credential' | 'problem'>,
  accounts: UiState['accounts'],
  now: number,
): Health {
  const how = healthOf(cluster, now);
  const { account, credential, problem } = cluster;
  const isByHand = !Object.hasOwn(accounts, account) || accounts[account]?.byHand !== false;
  const hasFailed = problem !== null || credential?.trouble != null;
  return how === 'soon' && !isByHand && !hasFailed && credential?.renewsAt === null ? 'good' : how;
}
