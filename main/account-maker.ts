import type { AccountRegistryDeps } from './account-registry.ts';
import { createClientCertificateAccount } from './accounts/client-certificate/client-certificate-account.ts';
import { createOidcAccount, type OidcDeps } from './accounts/oidc/oidc-account.ts';
import { createSecretFileReader } from './accounts/secret-file.ts';
import { createStaticTokenAccount } from './accounts/static-token/static-token-account.ts';
import { SingleFlight } from './base/single-flight.ts';
import type { ProxyEnvironment } from './domain/choose-proxy.ts';
import type { Obtained } from './ports/account.ts';
import type { Browser } from './ports/browser.ts';
import type { Clock } from './ports/clock.ts';
import type { Log } from './ports/log.ts';
import type { Vault } from './ports/vault.ts';

export interface AccountMakerDeps {
  vault: Vault;
  clock: Clock;
  log: Log;
  browser: Browser;
  /** The broker's own: proxies are looked up there. */
  environment: ProxyEnvironment;
}

/** Each kind of account by its key in config.yaml; a new kind is added here. */
export function createAccountMaker({
  vault,
  clock,
  log,
  browser,
  environment,
}: AccountMakerDeps): AccountRegistryDeps['make'] {
  const files = createSecretFileReader();
  const renewals = new SingleFlight<string, Obtained>();
  const unsaved: OidcDeps['unsaved'] = new Map();
  return (account, isCurrent) => {
    if ('oidc' in account.config) {
      return createOidcAccount({
        account,
        vault,
        clock,
        log,
        browser,
        isCurrent,
        renewals,
        unsaved,
        environment,
      });
    }
    return 'staticToken' in account.config
      ? createStaticTokenAccount({ account, vault, files, clock })
      : createClientCertificateAccount({ account, vault, files, clock });
  };
}
