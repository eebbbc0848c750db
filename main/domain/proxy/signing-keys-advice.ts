import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import { adviceText } from '../text/advice.ts';

/** Whose keys signed. `config`: null where the account is gone. */
export interface KeysAccount {
  name: string;
  config: AccountConfig | null;
}

/** Where the secret key of these keys is corrected; null: the user has none to correct, as STS gave them. */
export function wrongSecretHint({ name, config }: KeysAccount): string | null {
  if (config === null) {
    return null;
  }
  if ('awsProcess' in config) {
    return `its program printed them: ${adviceText({ command: 'plugin show', words: [name] })}`;
  }
  if (!('aws' in config)) {
    return null;
  }
  const { accessKeyId, profile, credentialsFile } = config.aws;
  if (profile !== undefined) {
    return `correct the profile ${profile} in ${fileOf(credentialsFile)}; Lanyard reads it again`;
  }
  return accessKeyId === undefined
    ? null
    : `set it again: ${adviceText({ command: 'secret set', words: [`${name}/secretAccessKey`] })}`;
}

/** How keys whose session has ended are replaced; null: Lanyard does it by itself. */
export function endedSessionHint({ name, config }: KeysAccount): string | null {
  if (config === null) {
    return null;
  }
  if ('awsProcess' in config) {
    return 'log in there again, such as with aws sso login; then try again';
  }
  if (!('aws' in config)) {
    return null;
  }
  const { accessKeyId, profile, credentialsFile } = config.aws;
  if (profile !== undefined) {
    return `put new keys into the profile ${profile} in ${fileOf(credentialsFile)}; Lanyard reads it again`;
  }
  return accessKeyId === undefined
    ? null
    : `give ${name} new keys: id, secretAccessKey and sessionToken belong together`;
}

function fileOf(credentialsFile: string | undefined): string {
  return credentialsFile ?? '~/.aws/credentials';
}
