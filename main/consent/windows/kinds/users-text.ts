import { registryName } from '../../../domain/target/registry-target.ts';
import { clusterName, targetText } from '../../../domain/target/target.ts';
import { usesAccount } from '../../../domain/target/uses-account.ts';
import type {
  LoadedAccount,
  LoadedCluster,
  LoadedConfig,
  LoadedRegistry,
} from '../../../ports/config-store.ts';

type Users = Pick<LoadedConfig, 'accounts' | 'clusters' | 'registries'>;

/** What an account is used for, by name. */
export function usersText(account: string, { accounts, clusters, registries }: Users): string {
  const isUser = ({ config }: LoadedAccount | LoadedCluster | LoadedRegistry) => usesAccount(config, account);
  const used = [
    ...[...clusters.values()].filter(isUser).map(({ name }) => targetText(clusterName(name))),
    ...[...registries.values()].filter(isUser).map(({ name }) => targetText(registryName(name))),
    ...[...accounts.values()].filter(isUser).map(({ name }) => `account ${name}`),
  ];
  return used.join(', ') || 'nothing yet';
}
