import type { AccountConfig } from '../../contract/config.ts';
import { unknownName } from '../../domain/unknown-name.ts';
import type { ConfigStore } from '../../ports/config-store.ts';
import { usageError } from './command.ts';

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
  const { known, unnamed } = partsOf(loaded.config);
  if (known.length === 0) {
    throw usageError('secret set', `${account} has no variable (env) without a value in config.yaml`);
  }
  if (account === word && unnamed === undefined) {
    throw usageError('secret set', `say which: ${known.map((each) => `${account}/${each}`).join(' or ')}`);
  }
  const part = account === word ? (unnamed ?? null) : word.slice(slash + 1);
  if (part !== null && !known.includes(part)) {
    throw usageError('secret set', `${account} has no ${part}; it has ${known.join(' and ')}`);
  }
  return { account, part };
}

/** `unnamed`: the part that is meant where the command names none; undefined: it has to name one. */
function partsOf(config: AccountConfig): { known: readonly string[]; unnamed: string | null | undefined } {
  if ('oidc' in config) {
    return { known: ['clientSecret', 'clientKey'], unnamed: 'clientSecret' };
  }
  if ('staticToken' in config) {
    return { known: ['token'], unnamed: 'token' };
  }
  if ('execPlugin' in config) {
    const unset = config.execPlugin.env.filter(({ value }) => value === undefined);
    const known = [...new Set(unset.map(({ name }) => `env.${name}`))];
    return { known, unnamed: known.length === 1 ? known[0] : undefined };
  }
  return { known: ['certificate', 'key'], unnamed: null };
}
