import type { AccountConfig, ClusterConfig } from '../../contract/config/config.ts';
import { accountsOfChain } from '../proxy/chain.ts';

/**
 * The clusters that each account serves, in their order: as the cluster’s own account, in a step of its chain, or with the
 * AWS keys of an EKS account.
 */
export function clustersByAccount(config: {
  accounts: ReadonlyMap<string, { config: AccountConfig }>;
  clusters: ReadonlyMap<string, { config: ClusterConfig }>;
}): ReadonlyMap<string, readonly string[]> {
  const keysOf = (name: string): string[] => {
    const own = config.accounts.get(name)?.config;
    return own && 'awsEks' in own ? [own.awsEks.account] : [];
  };
  const byAccount = new Map<string, string[]>();
  for (const [name, { config: cluster }] of config.clusters) {
    const named = [cluster.account, ...accountsOfChain(cluster.proxy)];
    for (const account of new Set(named.flatMap((each) => [each, ...keysOf(each)]))) {
      const of = byAccount.get(account);
      if (of) {
        of.push(name);
      } else {
        byAccount.set(account, [name]);
      }
    }
  }
  return byAccount;
}
