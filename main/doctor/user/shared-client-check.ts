import { kubeloginClientOf } from '../../domain/import/index.ts';
import type { MergedKubeconfig } from '../../domain/import/kubeconfig.ts';
import type { LoadedConfig } from '../../domain/loaded-config.ts';
import { observe } from '../../domain/text/finding.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import { type Check, firstOf, listed } from '../check.ts';

const clientLimit = 10;

/** Finds users of the caller’s kubeconfigs that still log in with kubelogin, as the OIDC client of an account. */
export function sharedClientCheck(
  read: () => Promise<MergedKubeconfig>,
  { accounts }: Pick<LoadedConfig, 'accounts'>,
): Check {
  return {
    group: 'kubeconfigs',
    name: 'kubeconfig.sharedClient',
    subject: null,
    run: async () => {
      const { users } = await read();
      const found = observe('kubeconfig.sharedClient');
      const byAccount = new Map<string, string[]>();
      for (const user of users.values()) {
        const client = kubeloginClientOf(user);
        const account = client && [...accounts.values()].find((each) => isSameClient(each.config, client));
        if (account) {
          byAccount.set(account.name, [...(byAccount.get(account.name) ?? []), visibleText(user.name, 100)]);
        }
      }
      return firstOf([...byAccount], clientLimit).shown.map(([account, names]) => ({
        ...found.note(
          `${listed(names)} of the kubeconfig log in by kubelogin as the same client: where the provider keeps one refresh token per client and user, as Dex does, a login of one ends the session of the other`,
          'if the session keeps ending: lanyard kubeconfig import --in-place, or give Lanyard its own client ID',
        ),
        subject: account,
      }));
    },
  };
}

function isSameClient(
  config: LoadedConfig['accounts'] extends ReadonlyMap<string, { config: infer Each }> ? Each : never,
  { issuer, clientId }: { issuer: string; clientId: string },
): boolean {
  return 'oidc' in config && config.oidc.issuer === issuer && config.oidc.clientId === clientId;
}
