import type { AccountConfig } from '../../contract/config/config.ts';
import { countingSecrets } from '../credential/secret-parts.ts';
import { shellWord } from './shell-line.ts';

/** What a person can do about something: a command that does it, or files that something else has to replace. */
export type Advice =
  | {
      command: 'login' | 'unlock' | 'confirm' | 'plugin show' | 'secret set' | 'doctor';
      words: readonly string[];
      /** It takes many lines, which no terminal can be typed: from a file on standard input. */
      fromFile?: true;
    }
  | { files: readonly string[] };

/** As much of an account as decides what its person can do. */
export interface AdvisedAccount {
  name: string;
  state: string;
  /** It works, and yet something should be done. */
  problem: string | null;
  /** What is held isn't renewed by itself. */
  byHand?: boolean | undefined;
  /** Of its secrets, the one that is missing; not there: all that count. */
  missing?: string | undefined;
}

/**
 * What brings an account back, by its kind and state; null: nothing has to be done, or no command does it. Each command
 * is one that does something there: a certificate isn't logged in to (rule: working-advice).
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
      return secretAdvice(name, config, account.missing);
    case 'failing':
      return { command: 'plugin show', words: [name] };
    case 'invalid':
      return 'clientCertificate' in config || 'staticToken' in config
        ? secretAdvice(name, config)
        : { command: 'doctor', words: [] };
    default:
      return 'oidc' in config && account.byHand ? { command: 'login', words: [name] } : null;
  }
}

/** How a person gives an account its secret, or another one. `part`: the one that is meant. */
export function secretAdvice(name: string, config: AccountConfig, part?: string): Advice {
  const counting = countingSecrets(config).map((each) => each.name);
  if (counting.length === 0) {
    return { files: filesOf(config) };
  }
  // Half a pair doesn't fit the other half that is there.
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
        : [];
  return named.filter((file) => file !== undefined);
}

/** In words: a command as it can be typed, but for the name of a FILE. */
export function adviceText(advice: Advice): string {
  if ('files' in advice) {
    return `replace ${advice.files.join(' and ')}; Lanyard reads ${advice.files.length === 1 ? 'it' : 'them'} again`;
  }
  const words = ['lanyard', advice.command, ...advice.words.map(shellWord)];
  return `${words.join(' ')}${advice.fromFile ? ' < FILE' : ''}`;
}
