import { BrokerError, toRefusal } from '../../contract/broker-error.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { adviceText, secretAdvice } from '../../domain/text/advice.ts';
import { observe } from '../../domain/text/finding.ts';
import type { Account, AccountState, Obtained } from '../../ports/account.ts';
import type { LoadedAccount } from '../../ports/config-store.ts';
import type { Vault } from '../../ports/vault.ts';
import { observeRefusal, observeWarning } from '../observe.ts';
import type { SecretFileReader } from '../secret-file.ts';
import type { StsDeps } from './ask-sts.ts';
import { type FoundKeys, keysCredential } from './keys-credential.ts';
import { readProfile } from './read-profile.ts';
import { createWebIdentityAccount } from './web-identity-account.ts';

export interface AwsDeps extends StsDeps {
  account: LoadedAccount;
  vault: Pick<Vault, 'read'>;
  files: SecretFileReader;
}

/** AWS keys: an access key whose secret is in the vault, those of a profile of the AWS tools, or a role’s for a token in a file. */
export function createAwsAccount(deps: AwsDeps): Account {
  const { account, vault, files, environment } = deps;
  const { name } = account;
  if (!('aws' in account.config)) {
    throw new BrokerError('account.kind', `account ${name} has no AWS keys`);
  }
  const { accessKeyId = '', profile, credentialsFile, webIdentity } = account.config.aws;
  if (webIdentity !== undefined) {
    return createWebIdentityAccount(webIdentity, { ...deps, name });
  }
  const advice = profile === undefined ? secretAdvice(name, account.config, 'secretAccessKey') : undefined;

  const inVault = (): FoundKeys => {
    const { secretAccessKey, sessionToken = null } = vault.read().secrets[name] ?? {};
    return secretAccessKey
      ? {
          ok: true,
          keys: { accessKeyId, secretAccessKey, sessionToken },
          where: 'is in the vault',
          warning: null,
        }
      : refuse(
          'loginNeeded',
          'aws.missing',
          `${name} has no secret for its access key ${accessKeyId} yet`,
          advice && adviceText(advice),
        );
  };
  const find = async (): Promise<FoundKeys> => {
    try {
      return profile === undefined
        ? inVault()
        : await readProfile({ name, profile, credentialsFile }, { files, environment });
    } catch (error) {
      return toRefusal(error);
    }
  };
  const obtain = async (): Promise<Obtained> => {
    const found = await find();
    return found.ok
      ? { ok: true, credential: keysCredential({ keys: found.keys, issuedAt: null, expiresAt: null }) }
      : found;
  };

  return {
    name,
    kind: 'aws',
    replacedBy: advice,
    async current() {
      const obtained = await obtain();
      return obtained.ok || obtained.reason === 'locked' ? obtained : null;
    },
    renew: obtain,
    async state(): Promise<AccountState> {
      const found = await find();
      const common = { kind: 'aws', issuer: null, expiresAt: null } as const;
      return found.ok
        ? { ...common, state: 'ready', subject: found.keys.accessKeyId, problem: found.warning }
        : { ...common, state: stateOf(found), subject: accessKeyId || null, problem: found.message };
    },
    async examine() {
      const found = await find();
      if (!found.ok) {
        return [observeRefusal('account.keys', found)];
      }
      const { keys, where, warning } = found;
      const which = `${keys.sessionToken ? 'the temporary access key' : 'the access key'} ${keys.accessKeyId}`;
      const ends = keys.sessionToken ? '; its expiry is not known here' : ' and never expires';
      return [
        observe('account.keys').ok(`${which} ${where}${ends}`),
        ...(warning === null ? [] : [observeWarning('account.file', warning)]),
      ];
    },
  };
}

function stateOf({ code, reason }: Refusal): AccountState['state'] {
  if (code === 'aws.missing') {
    return 'secretMissing';
  }
  return reason === 'locked' ? 'locked' : 'invalid';
}
