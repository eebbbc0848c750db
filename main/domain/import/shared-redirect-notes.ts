import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import type { LoadedConfig } from '../loaded-config.ts';
import { sharedRedirects } from '../login/login-rules.ts';
import type { AccountOf } from './planned-users.ts';

/** The same as config.yaml's own check reports, before it is written. */
export function sharedRedirectNotes(
  config: Pick<LoadedConfig, 'accounts'>,
  planned: readonly AccountOf[],
): string[] {
  const accounts: Record<string, AccountConfig> = {};
  for (const { name, config: known } of config.accounts.values()) {
    accounts[name] = known;
  }
  const added = new Set<string>();
  for (const each of planned) {
    if (!('left' in each) && 'oidc' in each.made.value && !each.named.exists) {
      accounts[each.named.account] = each.made.value as AccountConfig;
      added.add(each.named.account);
    }
  }
  return sharedRedirects(accounts)
    .filter(({ name, first }) => added.has(name) || added.has(first))
    .map(
      ({ name, first }) =>
        `${first} and ${name} log in at two providers with the same redirect URI: where the providers allow it, give each its own path (redirectUri)`,
    );
}
