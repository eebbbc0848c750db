import type { LoadedAccount, LoadedConfig } from '../../domain/loaded-config.ts';
import { comparedUrl } from '../../domain/server/server-url.ts';
import { observe } from '../../domain/text/finding.ts';
import { type Check, listed, type Observed } from '../check.ts';

/**
 * Finds servers that accept the same token: who runs one of them can use a token that it gets at the others.
 * Certificates don’t count, since their keys are not sent.
 */
export function sharedAudiencesCheck(config: () => LoadedConfig): Check {
  return {
    group: 'accounts',
    name: 'account.sharedAudience',
    subject: null,
    run: () => sharedAudiences(config()),
  };
}

export function sharedAudiences({ accounts, clusters }: LoadedConfig): Observed[] {
  const byToken = new Map<
    string,
    { accounts: Set<string>; clusters: string[]; servers: Set<string>; hint: string }
  >();
  for (const { name, config } of clusters.values()) {
    const account = accounts.get(config.account);
    const token = account && tokenOf(account, config.audience ?? null);
    if (account && token != null) {
      const of = byToken.get(token) ?? {
        accounts: new Set(),
        clusters: [],
        servers: new Set(),
        hint: hintOf(account, name),
      };
      of.accounts.add(account.name);
      of.clusters.push(name);
      of.servers.add(comparedUrl(config.server));
      byToken.set(token, of);
    }
  }
  return [...byToken.values()]
    .filter(({ servers }) => servers.size > 1)
    .map((of) => ({
      ...observe('account.sharedAudience').note(
        `one token is valid for ${of.servers.size} servers (${listed(of.clusters)}): any of them could reuse it`,
        of.hint,
      ),
      subject: listed([...of.accounts]),
    }));
}

/** Only a provider can make a token for one audience (main/config/linked-accounts.ts). */
function hintOf({ name, config }: LoadedAccount, cluster: string): string {
  return 'oidc' in config
    ? `give each its own audience, where the provider can exchange tokens: clusters.${cluster}.audience in config.yaml`
    : `give each server an account with a token of its own, in place of ${name}`;
}

/** What makes two clusters accept the same token; null: they never do. */
function tokenOf({ name, config }: LoadedAccount, audience: string | null): string | null {
  if ('oidc' in config) {
    const { issuer, clientId, token } = config.oidc;
    return JSON.stringify(['oidc', issuer, ...(audience === null ? [clientId, token] : [null, audience])]);
  }
  return 'staticToken' in config ? JSON.stringify(['staticToken', name]) : null;
}
