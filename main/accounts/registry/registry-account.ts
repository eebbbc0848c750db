import { BrokerError, toRefusal } from '../../contract/broker-error.ts';
import { identityTokenUser } from '../../contract/identity-token.ts';
import { refuse } from '../../contract/refusal.ts';
import { secretParts } from '../../domain/credential/secret-parts.ts';
import { adviceText, secretAdvice } from '../../domain/text/advice.ts';
import { observe } from '../../domain/text/finding.ts';
import type { Account, AccountState, Obtained } from '../../ports/account.ts';
import type { LoadedAccount } from '../../ports/config-store.ts';
import type { Vault } from '../../ports/vault.ts';
import { observeRefusal } from '../observe.ts';

export interface RegistryAccountDeps {
  account: LoadedAccount;
  vault: Pick<Vault, 'read'>;
}

/**
 * A login at a container registry: a user name with its password or access token, or an identity token. The secret is
 * in the vault: `lanyard secret set NAME`. It has no expiry that Lanyard could know.
 */
export function createRegistryAccount({ account, vault }: RegistryAccountDeps): Account {
  const { name, config } = account;
  if (!('registry' in config)) {
    throw new BrokerError('account.kind', `account ${name} is no registry login`);
  }
  const { userName = identityTokenUser } = config.registry;
  const part = secretParts(config).unnamed ?? '';
  const advice = secretAdvice(name, config);

  function obtain(): Obtained {
    try {
      const password = vault.read().secrets[name]?.[part];
      return password
        ? {
            ok: true,
            credential: {
              token: null,
              certificate: null,
              password: { userName, password },
              issuedAt: null,
              expiresAt: null,
            },
          }
        : refuse('loginNeeded', 'registry.missing', `${name} has no ${part} yet`, adviceText(advice));
    } catch (error) {
      return toRefusal(error);
    }
  }

  return {
    name,
    kind: 'registry',
    replacedBy: advice,
    async current() {
      const found = obtain();
      return found.ok || found.reason === 'locked' ? found : null;
    },
    async renew() {
      return obtain();
    },
    async examine() {
      const found = obtain();
      return [
        found.ok
          ? observe('account.registry').ok(`the ${part} of ${name} is in the vault`)
          : observeRefusal('account.registry', found),
      ];
    },
    async state(): Promise<AccountState> {
      const found = obtain();
      const common = {
        kind: 'registry',
        subject: config.registry.userName ?? null,
        issuer: null,
        expiresAt: null,
      } as const;
      return found.ok
        ? { ...common, state: 'ready', problem: null }
        : {
            ...common,
            state: found.reason === 'locked' ? 'locked' : 'secretMissing',
            problem: found.message,
          };
    },
  };
}
