import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import type { ClusterConfig } from '../../contract/config/cluster.ts';
import { accountsOfChain } from '../proxy/chain.ts';
import { namesByAccount } from './names-by-account.ts';

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
  return namesByAccount(
    [...config.clusters].flatMap(([name, { config: cluster }]) => {
      const named = [cluster.account, ...accountsOfChain(cluster.proxy)];
      const accounts = new Set(named.flatMap((each) => [each, ...keysOf(each)]));
      return [...accounts].map((account) => [account, name] as const);
    }),
  );
}
