import { BrokerError } from '../../../contract/broker-error.ts';
import type { Pkcs11Config } from '../../../contract/config/accounts/pkcs11.ts';
import { pkcs11Account } from '../../../contract/config/accounts/pkcs11.ts';
import { readTokenUri } from '../../../contract/config/accounts/pkcs11-uri.ts';
import { isSecretInVariable } from '../../../domain/import/exec-secrets.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { type CommandCall, usageError } from '../command.ts';
import { given, pathOption } from '../edit-config.ts';
import { variable } from './exec-plugin-options.ts';

/** The options of `lanyard account add` that make an account of a key on a token. */
export interface Pkcs11Options {
  pkcs11?: string | undefined;
  'token-label'?: string | undefined;
  'token-serial'?: string | undefined;
  slot?: string | undefined;
  'key-label'?: string | undefined;
  'key-id'?: string | undefined;
  'certificate-file'?: string | undefined;
  env?: string[] | undefined;
}

/** Where what config.yaml would not take was given. */
const optionOf: Readonly<Record<string, string>> = {
  module: '--pkcs11',
  uri: '--pkcs11',
  token: '--token-label',
  serial: '--token-serial',
  slot: '--slot',
  label: '--key-label',
  id: '--key-id',
  certificate: '--certificate-file',
  env: '--env',
};
const askedFor = 'Lanyard asks for the PIN when you log in';

/**
 * Throws BrokerError (reason usage) where the command line holds a PIN: other programs of this machine see it there, and a
 * shell keeps it. `--pin` alone is another kind’s.
 */
export function refusePin(words: readonly string[]): void {
  const isToken = words.some((word) => /^--pkcs11(=|$)/.test(word));
  if (isToken && words.some((word) => /^--(user-|so-)?pin(-value|-source)?(=|$)/.test(word))) {
    throw new BrokerError(
      'pkcs11.pinGiven',
      `account add: a PIN has no place on a command line: ${askedFor}`,
      {
        reason: 'usage',
        hint: 'leave --pin out. The module’s file is pinned without it',
      },
    );
  }
}

/** The account’s value for config.yaml. Throws BrokerError (reason usage) for what it would not take. */
export function pkcs11Value(
  call: Pick<CommandCall, 'cwd'>,
  options: Pkcs11Options,
): { value: object; pkcs11: Pkcs11Config } {
  const { slot } = options;
  if (slot !== undefined && !/^\d{1,15}$/.test(slot)) {
    throw usageError('account add', '--slot takes a number');
  }
  const env = moduleVariables('account add', options.env);
  const value = given({
    ...moduleOf(call, options.pkcs11 ?? ''),
    token: options['token-label'],
    serial: options['token-serial'],
    slot: slot === undefined ? undefined : Number(slot),
    label: options['key-label'],
    id: options['key-id'],
    certificate: pathOption(call, options['certificate-file']),
    env: env.length === 0 ? undefined : env,
  });
  const parsed = pkcs11Account.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const [field = ''] = issue?.path ?? [];
    throw usageError('account add', `${optionOf[String(field)] ?? String(field)}: ${issue?.message}`);
  }
  return { value, pkcs11: parsed.data };
}

/** The module’s file, and what a URI says beside it. */
function moduleOf(
  call: Pick<CommandCall, 'cwd'>,
  said: string,
): { module: string | undefined; uri?: string } {
  if (!/^pkcs11:/i.test(said)) {
    return { module: pathOption(call, said) };
  }
  const read = readTokenUri(said);
  if (!read.ok) {
    throw usageError('account add', `--pkcs11: ${read.fault}`);
  }
  if (read.module === null) {
    throw usageError(
      'account add',
      '--pkcs11: the URI names no module: end it with ?module-path=FILE, such as ?module-path=/usr/lib/x86_64-linux-gnu/opensc-pkcs11.so',
    );
  }
  const [uri = ''] = said.split('?');
  return { module: pathOption(call, read.module), ...(uri.length > 'pkcs11:'.length && { uri }) };
}

/**
 * `NAME=VALUE` of `--env`. Throws BrokerError (reason usage) for what config.yaml would not take, and for a secret: it and
 * command lines hold none.
 */
export function moduleVariables(command: string, env: readonly string[] = []): Pkcs11Config['env'] {
  return env.map((each) => {
    const { name, value } = variable(each);
    const shown = visibleText(name, 200);
    if (value === undefined) {
      throw usageError(command, `--env ${shown}: give its value, as --env ${shown}=VALUE`);
    }
    if (/(^|_)PIN(_|$)/i.test(name) || isSecretInVariable(name, value)) {
      throw usageError(command, `--env ${shown} holds a secret: ${askedFor}`);
    }
    const [issue] = pkcs11Account.shape.env.safeParse([{ name, value }]).error?.issues ?? [];
    if (issue) {
      throw usageError(command, `--env ${shown}: ${issue.message}`);
    }
    return { name, value };
  });
}
