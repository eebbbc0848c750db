import type { AccountStatus } from '../../../access/status.ts';
import type { AccountKind } from '../../../contract/config/accounts/account.ts';
import { styled } from '../../../domain/text/style.ts';

type State = AccountStatus['state'] | 'rejecting' | 'unknownAccount' | 'unknown';

/** Each state in a word or two; programs get its name in `--json`. */
const stateWords: Readonly<Record<State, string>> = {
  ready: 'ready',
  failing: 'failing',
  loginNeeded: 'log in',
  interrupted: 'log in again',
  secretMissing: 'secret missing',
  expired: 'expired',
  locked: 'locked',
  invalid: 'can’t be used',
  held: 'pending approval',
  rejecting: 'rejected (401)',
  unknownAccount: 'no such account',
  unknown: 'unknown',
};

const needPerson = ['loginNeeded', 'interrupted', 'secretMissing', 'expired', 'locked', 'held'];

const kindWords: Readonly<Record<AccountKind, string>> = {
  oidc: 'OIDC login',
  staticToken: 'token',
  clientCertificate: 'client certificate',
  registry: 'registry login',
  credentialProvider: 'provider plugin',
  credentialHelper: 'credential helper',
  execPlugin: 'exec plugin',
  requestSigner: 'request signer',
  pkcs11: 'key on a token',
  secretReader: 'secret reader',
  kubeconfigSecretReader: 'kubeconfig reader',
  aws: 'AWS keys',
  awsProcess: 'AWS keys by a program',
  awsEks: 'EKS token',
};

/** A kind of account in words. */
export function kindText(kind: string): string {
  return kindWords[kind as AccountKind] ?? kind;
}

/** A state in words, without a colour. */
export function stateWord(state: string): string {
  return stateWords[state as State] ?? state;
}

/**
 * The state of an account or a cluster, coloured by whether it works, waits for the user, or is broken. `pending`: a
 * change of it is pending approval.
 */
export function stateText(state: string, pending = false): string {
  return pending && state !== 'held'
    ? `${ownText(state)}, ${styled.yellow('change pending')}`
    : ownText(state);
}

function ownText(state: string): string {
  const word = stateWord(state);
  if (state === 'ready') {
    return styled.green(word);
  }
  return needPerson.includes(state) ? styled.yellow(word) : styled.red(word);
}

/** The names of a table's columns. */
export function heading(...columns: string[]): string[] {
  return columns.map(styled.bold);
}
