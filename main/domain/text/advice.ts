import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import { countingSecrets } from '../credential/secret-parts.ts';
import { secretReaderOf } from '../inventory/secret-reader.ts';
import { shellWord } from './shell-line.ts';

/** What the user can do about something: run a command, or replace files by other means. */
export type Advice =
  | {
      command: 'login' | 'unlock' | 'confirm' | 'plugin show' | 'secret set' | 'doctor';
      words: readonly string[];
      /** It has many lines, too many to type: from a file on standard input. */
      fromFile?: true;
    }
  | { files: readonly string[] };

/** What of an account decides what its user can do. */
export interface AdvisedAccount {
  name: string;
  state: string;
  /** It works, but something should be done. */
  problem: string | null;
  /** The current credential isn't renewed automatically. */
  byHand?: boolean | undefined;
  /** Which of its secrets is missing; absent: all that it needs. */
  missing?: string | undefined;
  /** Its token was taken out: putting it back is all. */
  tokenIsOut?: boolean | undefined;
}

/**
 * What makes an account usable again, by its kind and state; null: nothing has to be done, or no command does it.
 * Each command must have an effect: there is no login to a certificate (rule: working-advice).
 */
export function accountAdvice(account: AdvisedAccount, config: AccountConfig): Advice | null {
  const { name, state } = account;
  switch (state) {
    case 'locked':
      return { command: 'unlock', words: [] };
    case 'held':
      return { command: 'confirm', words: [name] };
    case 'loginNeeded':
    case 'interrupted':
      return { command: 'login', words: [name] };
    case 'secretMissing':
    case 'expired':
      // The renewed certificate goes onto the token.
      return 'pkcs11' in config && config.pkcs11.certificate === undefined
        ? { command: 'doctor', words: [] }
        : secretAdvice(name, config, account.missing);
    case 'failing':
      if (account.tokenIsOut) {
        return null;
      }
      return 'credentialHelper' in config ||
        'aws' in config ||
        'awsEks' in config ||
        'pkcs11' in config ||
        'oidc' in config ||
        secretReaderOf(config) !== null
        ? { command: 'doctor', words: [] }
        : { command: 'plugin show', words: [name] };
    case 'invalid':
      return 'clientCertificate' in config || 'staticToken' in config
        ? secretAdvice(name, config)
        : { command: 'doctor', words: [] };
    default:
      return 'oidc' in config && account.byHand ? { command: 'login', words: [name] } : null;
  }
}

/** How the user gives an account its secret, or another one. `part`: which one. */
export function secretAdvice(name: string, config: AccountConfig, part?: string): Advice {
  const counting = countingSecrets(config).map((each) => each.name);
  if (counting.length === 0) {
    const files = filesOf(config);
    // What is on a token is replaced there.
    return files.length === 0 ? { command: 'doctor', words: [] } : { files };
  }
  // Half a pair doesn't fit the existing other half.
  const isPair = counting.includes('certificate');
  const named = part ?? counting[0];
  return {
    command: 'secret set',
    words: [isPair ? name : `${name}/${named}`],
    ...((isPair || named === 'clientKey' || named === 'clientCertificate') && { fromFile: true }),
  };
}

function filesOf(config: AccountConfig): string[] {
  const named =
    'clientCertificate' in config
      ? [config.clientCertificate.certificateFile, config.clientCertificate.keyFile]
      : 'staticToken' in config
        ? [config.staticToken.file]
        : 'aws' in config
          ? [config.aws.credentialsFile, config.aws.webIdentity?.tokenFile]
          : 'pkcs11' in config
            ? [config.pkcs11.certificate]
            : [];
  return named.filter((file) => file !== undefined);
}

/** In words: the command as it can be typed, except for the name of a FILE. */
export function adviceText(advice: Advice): string {
  if ('files' in advice) {
    return `replace ${advice.files.join(' and ')}; Lanyard reads ${advice.files.length === 1 ? 'it' : 'them'} again`;
  }
  const words = ['lanyard', advice.command, ...advice.words.map(shellWord)];
  return `${words.join(' ')}${advice.fromFile ? ' < FILE' : ''}`;
}
