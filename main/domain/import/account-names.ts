import type { Secret } from '../../base/secret.ts';
import type { LoadedConfig } from '../loaded-config.ts';
import { type AccountKeys, keysOfLoaded, keysOfMade } from './account-key.ts';
import { cleanName, FreeNames } from './clean-name.ts';
import type { MadeAccount } from './made-account.ts';

export interface NamedAccount {
  account: string;
  /** It is in config.yaml already. */
  exists: boolean;
  /** The user of this import that has the account already; null: none. */
  sharedWith: string | null;
}

/** Names accounts: the one that is there already, or another user's of the same credentials, else a free name. */
export function createAccountNamer(
  config: Pick<LoadedConfig, 'accounts'>,
  secrets: Readonly<Record<string, Readonly<Record<string, Secret>>>>,
): (user: string, made: Extract<MadeAccount, { ok: true }>) => NamedAccount {
  const whole = new Map<string, Set<string>>();
  const withoutSecret = new Map<string, Set<string>>();
  for (const account of config.accounts.values()) {
    const own = Object.hasOwn(secrets, account.name) ? (secrets[account.name] ?? {}) : {};
    const keys = keysOfLoaded(account, own);
    add(whole, keys.whole, account.name);
    add(withoutSecret, keys.withoutSecret, account.name);
  }
  const names = new FreeNames((name) => config.accounts.has(name));
  const planned = new Map<string, { account: string; user: string }>();

  const existing = (keys: AccountKeys, hasSecret: boolean, wanted: string): string | null => {
    const same = get(whole, keys.whole) ?? (hasSecret ? undefined : get(withoutSecret, keys.withoutSecret));
    const [first] = same ?? [];
    return same?.has(wanted) ? wanted : (first ?? null);
  };

  return (user, made) => {
    const wanted = cleanName(user, 'account');
    const keys = keysOfMade(made);
    const there = existing(keys, Object.hasOwn(made.secrets, 'clientSecret'), wanted);
    if (there !== null) {
      return { account: there, exists: true, sharedWith: null };
    }
    const shared = keys.whole === null ? undefined : planned.get(keys.whole);
    if (shared !== undefined) {
      return { account: shared.account, exists: false, sharedWith: shared.user };
    }
    const account = names.take(wanted);
    if (keys.whole !== null) {
      planned.set(keys.whole, { account, user });
    }
    return { account, exists: false, sharedWith: null };
  };
}

function add(index: Map<string, Set<string>>, key: string | null, name: string): void {
  if (key !== null) {
    const names = index.get(key) ?? new Set();
    index.set(key, names.add(name));
  }
}

function get(index: ReadonlyMap<string, Set<string>>, key: string | null): Set<string> | undefined {
  return key === null ? undefined : index.get(key);
}
