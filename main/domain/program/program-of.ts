import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import type { ExecPluginConfig } from '../../contract/config/accounts/exec-plugin.ts';
import { dockerHelperPrefix } from '../../contract/program-names.ts';

/** A program that an account runs, and how it is found. */
export type AccountProgram = Pick<ExecPluginConfig, 'command' | 'args' | 'env' | 'searchPath' | 'pin'> & {
  /** A library that lanyard-keys loads: it needs no permission to be run. */
  isLibrary?: boolean;
};

/** What an account that runs a program runs; null: it runs none. */
export function programOf(config: AccountConfig): AccountProgram | null {
  if ('execPlugin' in config) {
    return config.execPlugin;
  }
  if ('credentialHelper' in config) {
    return helperProgram(config.credentialHelper);
  }
  if ('awsProcess' in config) {
    return config.awsProcess;
  }
  if ('requestSigner' in config) {
    return config.requestSigner;
  }
  if ('pkcs11' in config) {
    const { module, env } = config.pkcs11;
    // What is in it sees PINs: another content is another module.
    return { command: module, args: [], env, pin: true, isLibrary: true };
  }
  return 'credentialProvider' in config ? config.credentialProvider : null;
}

/** The program of docker’s credential helper of that name, asked for a credential. */
export function helperProgram<Parts extends object>({
  helper,
  ...parts
}: Parts & { helper: string }): Omit<Parts, 'helper'> & { command: string; args: string[] } {
  return { ...parts, command: `${dockerHelperPrefix}${helper}`, args: ['get'] };
}
