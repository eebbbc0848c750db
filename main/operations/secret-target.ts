import { BrokerError } from '../contract/broker-error.ts';
import type { AccountConfig } from '../contract/config/accounts/account.ts';
import { secretParts } from '../domain/credential/secret-parts.ts';
import type { LoadedAccount } from '../domain/loaded-config.ts';
import { programOf } from '../domain/program/program-of.ts';
import { shellWord } from '../domain/text/shell-line.ts';
import { unknownName } from '../domain/text/unknown-name.ts';
import type { ConfigStore } from '../ports/config-store.ts';

/** Which secret of which account; `part` null: a client certificate whose two parts come in one PEM. */
export interface SecretTarget {
  account: string;
  part: string | null;
}

/** What `ACCOUNT[/PART]` means. Throws BrokerError (reason usage, notFound). */
export function secretTarget(word: string, config: Pick<ConfigStore, 'current'>): SecretTarget {
  const { accounts } = config.current();
  // Names may hold slashes: the longest name that is an account counts.
  const slash = word.lastIndexOf('/');
  const account = accounts.has(word) ? word : word.slice(0, Math.max(0, slash));
  const loaded = accounts.get(account);
  if (!loaded) {
    throw unknownName('account', slash < 0 ? word : account, accounts.keys());
  }
  return { account, part: partOf(loaded, account === word ? null : word.slice(slash + 1)) };
}

/** Which part of an account `named` means; null: it names none. Throws BrokerError (reason usage). */
export function partOf({ name: account, config }: LoadedAccount, named: string | null): string | null {
  const { known, unnamed } = secretParts(config);
  if (known.length === 0) {
    throw secretUsage(
      'pkcs11' in config || programOf(config) === null
        ? `${account} has no secrets in the vault: ${whereText(config)}`
        : `${account} has no variable (env) without a value in config.yaml`,
      'pkcs11' in config ? `lanyard login ${shellWord(account)}` : undefined,
    );
  }
  if (named === null && unnamed === undefined) {
    throw secretUsage(`say which: ${known.map((each) => `${account}/${each}`).join(' or ')}`);
  }
  const part = named ?? unnamed ?? null;
  if (part !== null && !known.includes(part)) {
    throw secretUsage(`${account} has no ${part}; it has ${known.join(' and ')}`);
  }
  return part;
}

/** Where an account without secrets in the vault has its own. */
function whereText(config: AccountConfig): string {
  if ('aws' in config) {
    return 'its keys come from a file';
  }
  if ('pkcs11' in config) {
    return 'its key stays on its token, and Lanyard asks for the PIN when you log in';
  }
  return 'awsEks' in config
    ? `its tokens are made of the keys of ${config.awsEks.account}`
    : 'it reads them at its hub';
}

export function secretUsage(what: string, hint = 'see: lanyard secret set --help'): BrokerError {
  return new BrokerError('cli.usage', `secret set: ${what}`, { reason: 'usage', hint });
}
