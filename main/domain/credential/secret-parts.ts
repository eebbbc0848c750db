import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import { programOf } from '../program/program-of.ts';

/**
 * The secrets that an account may have in the vault, by name. `unnamed`: the part that is meant where none is named;
 * null: a client certificate whose two parts come in one PEM; undefined: it has to be named.
 */
export function secretParts(config: AccountConfig): {
  known: readonly string[];
  unnamed: string | null | undefined;
} {
  if ('oidc' in config) {
    return { known: ['clientSecret', 'clientKey', 'clientCertificate'], unnamed: 'clientSecret' };
  }
  if ('staticToken' in config) {
    return { known: ['token'], unnamed: 'token' };
  }
  const plugin = programOf(config);
  if (plugin !== null) {
    const unset = plugin.env.filter(({ value }) => value === undefined);
    const known = [...new Set(unset.map(({ name }) => `env.${name}`))];
    return { known, unnamed: known.length === 1 ? known[0] : undefined };
  }
  if ('registry' in config) {
    const part = config.registry.userName === undefined ? 'identityToken' : 'password';
    return { known: [part], unnamed: part };
  }
  if ('clientCertificate' in config) {
    return { known: ['certificate', 'key'], unnamed: null };
  }
  if ('aws' in config && config.aws.accessKeyId !== undefined) {
    return { known: ['secretAccessKey', 'sessionToken'], unnamed: 'secretAccessKey' };
  }
  // A secret reader has its secrets at the hub, an AWS profile in its file; an EKS token is made of another’s keys.
  return { known: [], unnamed: undefined };
}

/** Those that are sent or signed with as they are: no use works with a space or a line end in them. */
export const oneWordParts: readonly string[] = ['token', 'identityToken', 'secretAccessKey', 'sessionToken'];

/** The parts that apply to the account as it is now: one with files has none; `isNeeded`: nothing works without it. */
export function countingSecrets(config: AccountConfig): { name: string; isNeeded: boolean }[] {
  if ('staticToken' in config) {
    return config.staticToken.file === undefined ? [{ name: 'token', isNeeded: true }] : [];
  }
  if ('clientCertificate' in config) {
    const { certificateFile, keyFile } = config.clientCertificate;
    const inVault = certificateFile === undefined && keyFile === undefined;
    return inVault ? ['certificate', 'key'].map((name) => ({ name, isNeeded: true })) : [];
  }
  const isNeeded = !('oidc' in config);
  return secretParts(config).known.map((name) => ({ name, isNeeded: isNeeded && name !== 'sessionToken' }));
}
