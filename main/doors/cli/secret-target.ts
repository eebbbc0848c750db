import { secretParts } from '../../domain/secret-parts.ts';
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
  const { known, unnamed } = secretParts(loaded.config);
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
