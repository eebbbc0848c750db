import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import type { ClusterConfig } from '../../contract/config/cluster.ts';
import type { RegistryConfig } from '../../contract/config/registry.ts';
import type { InventoryConfig } from '../../contract/config/inventory.ts';
import { accountsOfChain } from '../proxy/chain.ts';

/** Whether an entry of config.yaml names an account. */
export function usesAccount(
  config: AccountConfig | ClusterConfig | RegistryConfig | InventoryConfig,
  account: string,
): boolean {
  if (!('account' in config) && !('providers' in config)) {
    if ('oidc' in config) {
      const { clientKeyAccount, clientCertificateAccount } = config.oidc;
      return [clientKeyAccount, clientCertificateAccount].includes(account);
    }
    return 'awsEks' in config && config.awsEks.account === account;
  }
  if ('providers' in config) {
    return config.providers.some((provider) => provider.account === account);
  }
  return config.account === account || ('proxy' in config && accountsOfChain(config.proxy).includes(account));
}
