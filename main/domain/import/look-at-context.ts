import { visibleText } from '../text/visible-text.ts';
import type { NamedAccount } from './account-names.ts';
import type { MadeCluster } from './cluster-entry.ts';
import type { AccountEntry } from './import-plan.ts';
import type { KubeCluster, KubeContext, MergedKubeconfig } from './kubeconfig.ts';
import { type AccountOf, entryOf } from './planned-users.ts';

/** A context that can be imported. */
export interface FoundContext {
  context: KubeContext;
  made: Extract<MadeCluster, { ok: true }>;
  account: NamedAccount;
  /** Of the account. */
  value: AccountEntry;
}

export interface LeftContext {
  context: KubeContext;
  /** Why it is left out. */
  left: string;
}

/** The note for a user that would be an account without a cluster. */
export const unreachable = 'none of its contexts can be imported';

export function lookAtContext(
  context: KubeContext,
  merged: Pick<MergedKubeconfig, 'clusters'>,
  accounts: ReadonlyMap<string, AccountOf>,
  makeCluster: (cluster: KubeCluster) => MadeCluster,
): FoundContext | LeftContext {
  const account = accounts.get(context.user);
  const cluster = merged.clusters.get(context.cluster);
  if (cluster === undefined) {
    return { context, left: missing('cluster', context.cluster) };
  }
  if (account === undefined) {
    return { context, left: missing('user', context.user) };
  }
  if ('left' in account && account.left !== unreachable) {
    return { context, left: account.left };
  }
  const made = makeCluster(cluster);
  if (!made.ok || 'left' in account) {
    return { context, left: made.ok ? unreachable : made.left };
  }
  return { context, made, account: account.named, value: entryOf(account) };
}

function missing(what: 'cluster' | 'user', name: string): string {
  return name === '' ? `it names no ${what}` : `there is no ${what} ${visibleText(name, 200)}`;
}
