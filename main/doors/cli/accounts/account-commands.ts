import type { StatusReader } from '../../../access/status.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import type { AccountConfig } from '../../../contract/config/accounts/account.ts';
import { hasLeftovers } from '../../../domain/approval/account-leftovers.ts';
import { registeredAddress } from '../../../domain/login/redirect-address.ts';
import { accountAdvice, adviceText } from '../../../domain/text/advice.ts';
import { planRemoval, removeAccount } from '../../../operations/remove-account.ts';
import type { InspectPlugin } from '../../../platform/programs/inspect-plugin.ts';
import type { Vault } from '../../../ports/vault.ts';
import { askYes, type Command, done, json, parseWords, usageError } from '../command.ts';
import {
  addedAnswer,
  clusterAddLine,
  type EditDeps,
  editConfig,
  given,
  pathOption,
  registryAddLine,
} from '../edit-config.ts';
import { accountsTable } from '../status/status-tables.ts';
import { columnsOf } from '../table.ts';
import { type AwsAddDeps, addAwsAccount, awsKindOptions, awsOptions } from './account-add-aws.ts';
import { addCredentialHelper } from './account-add-helper.ts';
import { addPkcs11, type Pkcs11AddDeps } from './account-add-pkcs11.ts';
import { addExecPlugin } from './account-add-plugin.ts';
import { addCredentialProvider } from './account-add-provider.ts';
import { addSecretReader } from './account-add-reader.ts';
import { addRequestSigner } from './account-add-signer.ts';
import { oidcValue } from './oidc-options.ts';
import { refusePin } from './pkcs11-options.ts';

export interface AccountCommandDeps extends EditDeps {
  vault: Pick<Vault, 'read' | 'state' | 'update'>;
  status: StatusReader;
  look: InspectPlugin;
  awsProfile: AwsAddDeps['awsProfile'];
  /** How modules are listed. */
  tokens: Pick<Pkcs11AddDeps, 'environment' | 'list' | 'clock' | 'platform'>;
  onRemoved(name: string): void;
}

/** `lanyard account add NAME …` */
export function accountAddCommand(deps: AccountCommandDeps): Command {
  return async (call) => {
    refusePin(call.args);
    const { positionals, values } = parseWords('account add', call.args, ['NAME'], {
      'oidc-issuer': { type: 'string' },
      'client-id': { type: 'string' },
      scope: { type: 'string', multiple: true },
      token: { type: 'string' },
      'certificate-authority': { type: 'string' },
      flow: { type: 'string' },
      'redirect-uri': { type: 'string' },
      'redirect-port': { type: 'string', multiple: true },
      'login-hint': { type: 'string' },
      'extra-param': { type: 'string', multiple: true },
      'client-assertion-file': { type: 'string' },
      'client-key-account': { type: 'string' },
      'client-key-id': { type: 'string' },
      'client-certificate-account': { type: 'string' },
      'browser-command': { type: 'string' },
      'browser-arg': { type: 'string', multiple: true },
      'static-token': { type: 'boolean' },
      file: { type: 'string' },
      registry: { type: 'boolean' },
      'user-name': { type: 'string' },
      'client-certificate': { type: 'boolean' },
      'certificate-file': { type: 'string' },
      'key-file': { type: 'string' },
      'exec-plugin': { type: 'string' },
      'credential-provider': { type: 'string' },
      'credential-helper': { type: 'string' },
      fallback: { type: 'boolean' },
      'request-signer': { type: 'string' },
      pkcs11: { type: 'string' },
      'token-label': { type: 'string' },
      'token-serial': { type: 'string' },
      slot: { type: 'string' },
      'key-label': { type: 'string' },
      'key-id': { type: 'string' },
      'secret-reader': { type: 'string' },
      'kubeconfig-secret-reader': { type: 'string' },
      namespace: { type: 'string' },
      key: { type: 'string' },
      'default-cache': { type: 'string' },
      arg: { type: 'string', multiple: true },
      env: { type: 'string', multiple: true },
      'api-version': { type: 'string' },
      'interactive-mode': { type: 'string' },
      'provide-cluster-info': { type: 'boolean' },
      environment: { type: 'string', multiple: true },
      timeout: { type: 'string' },
      cache: { type: 'string' },
      pin: { type: 'boolean' },
      'no-share': { type: 'boolean' },
      'install-hint': { type: 'string' },
      ...awsOptions,
    });
    const name = positionals[0] ?? '';
    if (deps.config.current().accounts.has(name)) {
      throw new BrokerError('account.exists', `account ${name} already exists`, {
        reason: 'usage',
        hint: `change it in ${deps.config.file}, or remove it first: lanyard account remove ${name}`,
      });
    }
    if (deps.vault.state().kind === 'open' && hasLeftovers(deps.vault.read(), name)) {
      throw new BrokerError(
        'account.left',
        `the vault still has the login or secrets of an earlier account named ${name}`,
        {
          reason: 'usage',
          hint: `a new one would use them; remove them first: lanyard account remove ${name}`,
        },
      );
    }
    const kinds = [
      values['oidc-issuer'] !== undefined,
      values['static-token'],
      values.registry,
      values['client-certificate'],
      values['exec-plugin'] !== undefined,
      values['credential-provider'] !== undefined,
      values['credential-helper'] !== undefined,
      values['request-signer'] !== undefined,
      values.pkcs11 !== undefined,
      values['secret-reader'] !== undefined,
      values['kubeconfig-secret-reader'] !== undefined,
      ...awsKindOptions.map((option) => values[option] !== undefined),
    ];
    if (kinds.filter(Boolean).length !== 1) {
      throw usageError(
        'account add',
        'specify an account type: --oidc-issuer URL, --static-token, --registry, --client-certificate, --exec-plugin COMMAND, --credential-provider COMMAND, --credential-helper NAME, --request-signer COMMAND, --pkcs11 FILE, --secret-reader CLUSTER, --kubeconfig-secret-reader CLUSTER, --aws-profile PROFILE, --aws-access-key-id ID, --aws-web-identity-token-file FILE, --aws-process COMMAND or --aws-eks CLUSTER',
      );
    }
    const ofAws = await addAwsAccount(call, name, values, deps);
    if (ofAws !== null) {
      return ofAws;
    }
    if (values['exec-plugin'] !== undefined) {
      return addExecPlugin(call, name, values, deps);
    }
    if (values['credential-provider'] !== undefined) {
      return addCredentialProvider(call, name, values, deps);
    }
    if (values['credential-helper'] !== undefined) {
      return addCredentialHelper(call, name, { ...values, helper: values['credential-helper'] }, deps);
    }
    if (values['request-signer'] !== undefined) {
      return addRequestSigner(call, name, values, deps);
    }
    if (values.pkcs11 !== undefined) {
      return addPkcs11(call, name, values, { ...deps, ...deps.tokens });
    }
    if (values['secret-reader'] !== undefined || values['kubeconfig-secret-reader'] !== undefined) {
      return addSecretReader(call, name, values, deps);
    }
    const value =
      values['oidc-issuer'] !== undefined
        ? oidcValue(call, values)
        : values['static-token']
          ? { staticToken: given({ file: pathOption(call, values.file) }) }
          : values.registry
            ? { registry: given({ userName: values['user-name'] }) }
            : {
                clientCertificate: given({
                  certificateFile: pathOption(call, values['certificate-file']),
                  keyFile: pathOption(call, values['key-file']),
                }),
              };
    const saved = await editConfig(call, { kind: 'set', what: 'account', name, value }, deps);
    const config = deps.config.current().accounts.get(name)?.config;
    const next = config ? `${nextStep(name, config)}${wayBackText(config)}` : 'lanyard status';
    return addedAnswer(`account ${name}`, next, saved);
  };
}

/** What a login in a browser needs at the provider; nothing where none can come. */
function wayBackText(config: AccountConfig): string {
  if (!('oidc' in config) || !['auto', 'browser'].includes(config.oidc.flow)) {
    return '';
  }
  return `\nFor logins in a browser, register this redirect URI with your provider: ${registeredAddress(config.oidc)}`;
}

/** Its secret where it needs one, then a login where it has one; else a cluster that takes its credential. */
function nextStep(name: string, config: AccountConfig): string {
  if ('oidc' in config && config.oidc.flow === 'serviceAccountToken') {
    return registryAddLine(name);
  }
  const isClient = 'oidc' in config && config.oidc.flow === 'clientCredentials';
  const state = 'oidc' in config && !isClient ? 'loginNeeded' : 'secretMissing';
  const advice = accountAdvice({ name, state, problem: null }, config);
  return advice && 'command' in advice ? adviceText(advice) : clusterAddLine(name);
}

/** `lanyard account list [--wide] [--json]` */
export function accountListCommand(deps: AccountCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('account list', call.args, [], {
      wide: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const { accounts } = await deps.status.read();
    if (values.json) {
      return done(json(accounts));
    }
    return accounts.length === 0
      ? done(undefined, 'No accounts yet. To add one, see: lanyard help account add')
      : done(accountsTable(accounts, columnsOf(call.terminal, values.wide)));
  };
}

/** `lanyard account remove ACCOUNT [--yes]`: also what the vault still holds of an account that is gone from the file. */
export function accountRemoveCommand(deps: AccountCommandDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('account remove', call.args, ['ACCOUNT'], {
      yes: { type: 'boolean' },
    });
    const name = positionals[0] ?? '';
    const { holdsSecrets } = planRemoval(name, deps);
    const removed = deps.config.current().accounts.get(name)?.config;
    const namesLanyard = Object.keys(deps.vault.read().dockerConfigs).length > 0;
    if (
      holdsSecrets &&
      !values.yes &&
      !(await askYes(call, `Remove ${name}, its session and its secrets?`))
    ) {
      throw new BrokerError('account.kept', `${name} was not removed`, {
        reason: 'denied',
        hint: 'without a terminal, say --yes',
      });
    }
    await removeAccount(name, deps);
    return done(
      undefined,
      `Removed the account ${name}.${removed && namesLanyard ? lostStoreText(removed) : ''}`,
    );
  };
}

/** docker goes on without a login then; empty: the account was no fallback. */
function lostStoreText(config: AccountConfig): string {
  return 'credentialHelper' in config && config.credentialHelper.fallback
    ? `\ndocker finds no login of the store ${config.credentialHelper.helper} any more. To have docker ask it without Lanyard: lanyard docker undo`
    : '';
}
