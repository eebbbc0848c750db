import { type Refusal, refuse } from '../contract/refusal.ts';
import { clusterShape } from '../domain/approval/binding.ts';
import type { Account } from '../ports/account.ts';
import type { Directory, Gate } from '../ports/broker-core.ts';
import type { LoadedCluster } from '../ports/config-store.ts';

export interface RecheckDeps {
  gate: Gate;
  directory: Directory;
}

/** What was found when a request came, to be looked at again after each wait. */
export interface Found {
  account: Account;
  cluster: LoadedCluster;
  /** Finds the cluster anew, as it was found first. */
  again(): { ok: true; cluster: LoadedCluster } | Refusal;
}

/** Time has passed: the lock, the configuration and the confirmation may have changed meanwhile. */
export function recheck({ account, cluster, again }: Found, deps: RecheckDeps): Refusal | null {
  const changed = recheckAccount(account, deps);
  if (changed) {
    return changed;
  }
  const found = again();
  if (!found.ok) {
    return found;
  }
  return found.cluster === cluster || clusterShape(found.cluster) === clusterShape(cluster)
    ? null
    : refuse(
        'notPermitted',
        'kube.cluster.changed',
        `the configuration of ${cluster.name} changed while its credential was fetched`,
        'try again',
      );
}

/** The lock, and the account, are as they were. */
export function recheckAccount(account: Account, { gate, directory }: RecheckDeps): Refusal | null {
  const locked = gate();
  if (locked) {
    return locked;
  }
  const now = directory.account(account.name);
  if (!now.ok) {
    return now;
  }
  const what = `the configuration of ${account.name} changed while its credential was fetched`;
  return now.account === account ? null : refuse('notPermitted', 'kube.account.changed', what, 'try again');
}
