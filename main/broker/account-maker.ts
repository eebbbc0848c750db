import { stat } from 'node:fs/promises';
import type { AccountRegistryDeps } from '../access/account-registry.ts';
import { createAwsAccount } from '../accounts/aws/aws-account.ts';
import { createAwsEksAccount } from '../accounts/aws/aws-eks-account.ts';
import { createAwsProcessAccount } from '../accounts/aws/aws-process-account.ts';
import { createClientCertificateAccount } from '../accounts/client-certificate/client-certificate-account.ts';
import { createCredentialHelperAccount } from '../accounts/credential-helper/credential-helper-account.ts';
import { createCredentialProviderAccount } from '../accounts/credential-provider/credential-provider-account.ts';
import type { ProviderAnswers } from '../accounts/credential-provider/provider-answers.ts';
import { createExecPluginAccount } from '../accounts/exec-plugin/exec-plugin-account.ts';
import type { LateTabs } from '../accounts/oidc/login/late-tabs.ts';
import { createOidcAccount, type OidcDeps } from '../accounts/oidc/oidc-account.ts';
import type { KeptTokens } from '../accounts/pkcs11/kept-tokens.ts';
import { createPkcs11Account } from '../accounts/pkcs11/pkcs11-account.ts';
import type { PluginMemory } from '../accounts/plugins/memory.ts';
import { createRegistryAccount } from '../accounts/registry/registry-account.ts';
import { createRequestSignerAccount } from '../accounts/request-signer/request-signer-account.ts';
import { createSecretFileReader } from '../accounts/secret-file.ts';
import { createSecretReaderAccount } from '../accounts/secret-reader/secret-reader-account.ts';
import { createStaticTokenAccount } from '../accounts/static-token/static-token-account.ts';
import { SingleFlight } from '../base/single-flight.ts';
import type { ServerRewriteConfig } from '../domain/inventory/server-rewrite.ts';
import type { ProxyEnvironment } from '../platform/network/choose-proxy.ts';
import type { AccessLists } from '../ports/access-lists.ts';
import type { Obtained } from '../ports/account.ts';
import type { AwsKeySource } from '../ports/aws-key-source.ts';
import type { Browser } from '../ports/browser.ts';
import type { Clock } from '../ports/clock.ts';
import type { Recorder } from '../ports/history.ts';
import type { HubSecrets } from '../ports/hub-secrets.ts';
import type { Log } from '../ports/log.ts';
import type { LookUpPeer } from '../ports/peer-user.ts';
import type { PluginPrograms } from '../ports/plugin-programs.ts';
import type { ProgramRunner } from '../ports/program-runner.ts';
import type { Vault } from '../ports/vault.ts';

export interface AccountMakerDeps {
  /** Null where modes count. */
  access: AccessLists | null;
  vault: Vault;
  clock: Clock;
  log: Log;
  browser: Browser;
  lookUpPeer: LookUpPeer;
  lateTabs: LateTabs;
  recorder: Recorder;
  /** The programs of wrapped plugins, as the user approved them. */
  programs: PluginPrograms;
  pluginMemory: PluginMemory;
  providerAnswers: ProviderAnswers;
  /** Runs a wrapped plugin in the broker. */
  runProgram(): ProgramRunner;
  /** Secrets of the clusters that accounts name as their hub. */
  hubs: HubSecrets;
  /** The keys of accounts, for what is made of them. */
  awsKeys: AwsKeySource;
  /** The tokens with keys that stay there. */
  tokens: Pick<KeptTokens, 'of' | 'fault' | 'open' | 'logIn' | 'sign'>;
  /** The file of lanyard-proxy; absolute. */
  proxyProgram: string;
  /** `serverRewrites` of an inventory. */
  rewritesOf(inventory: string): readonly ServerRewriteConfig[];
  /** The broker's own environment: proxies are read from it, and wrapped plugins get a part of it. */
  environment: ProxyEnvironment;
}

/** Each kind of account by its key in config.yaml; a new kind is added here. */
export function createAccountMaker({
  access,
  vault,
  clock,
  log,
  browser,
  lookUpPeer,
  lateTabs,
  environment,
  recorder,
  programs,
  pluginMemory,
  providerAnswers,
  runProgram,
  hubs,
  awsKeys,
  tokens,
  proxyProgram,
  rewritesOf,
}: AccountMakerDeps): AccountRegistryDeps['make'] {
  const files = createSecretFileReader(access);
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
        lookUpPeer,
        lateTabs,
        files,
        isCurrent,
        renewals,
        unsaved,
        environment,
        heldKeys: tokens,
        proxyProgram,
      });
    }
    if ('execPlugin' in account.config) {
      return createExecPluginAccount({
        account,
        vault,
        clock,
        recorder,
        programs,
        memory: pluginMemory,
        runProgram,
        environment,
      });
    }
    if ('credentialProvider' in account.config) {
      return createCredentialProviderAccount({
        account,
        vault,
        clock,
        recorder,
        programs,
        memory: pluginMemory,
        answers: providerAnswers,
        runProgram,
        environment,
      });
    }
    if ('credentialHelper' in account.config) {
      return createCredentialHelperAccount({
        account,
        vault,
        clock,
        programs,
        memory: pluginMemory,
        runProgram,
        environment,
      });
    }
    if ('secretReader' in account.config || 'kubeconfigSecretReader' in account.config) {
      return createSecretReaderAccount({ account, clock, hubs, rewritesOf });
    }
    if ('aws' in account.config) {
      return createAwsAccount({ account, vault, files, clock, environment });
    }
    if ('awsProcess' in account.config) {
      return createAwsProcessAccount({
        account,
        vault,
        clock,
        recorder,
        programs,
        memory: pluginMemory,
        runProgram,
        environment,
      });
    }
    if ('awsEks' in account.config) {
      return createAwsEksAccount({ account, clock, environment, awsKeys });
    }
    if ('requestSigner' in account.config) {
      return createRequestSignerAccount({ account, vault, programs, memory: pluginMemory });
    }
    if ('pkcs11' in account.config) {
      return createPkcs11Account({
        ...{ account, programs, vault, clock, environment, isThere },
        token: () => tokens.of(account),
      });
    }
    if ('registry' in account.config) {
      return createRegistryAccount({ account, vault });
    }
    return 'staticToken' in account.config
      ? createStaticTokenAccount({ account, vault, files, clock })
      : createClientCertificateAccount({ account, vault, files, clock });
  };
}

/** Also where it may not be read. */
function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
