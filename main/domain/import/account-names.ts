import type { Secret } from '../../base/secret.ts';
import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import { hasLeftovers } from '../approval/account-leftovers.ts';
import type { LoadedAccount, LoadedConfig } from '../loaded-config.ts';
import type { ProgramsOf } from '../program/program.ts';
import { type AccountKeys, keysOfLoaded, keysOfMade } from './account-key.ts';
import { chosenByGroup } from './chosen-names.ts';
import { cleanName, FreeNames } from './clean-name.ts';
import type { ImportedBefore } from './imported-before.ts';
import type { KubeUser } from './kubeconfig.ts';
import type { MadeAccount } from './made-account.ts';
import { lacksOfflineAccess, withOfflineAccess, withoutAddedScope } from './offline-access.ts';

export interface UserToName {
  user: Pick<KubeUser, 'name' | 'origin'>;
  made: Extract<MadeAccount, { ok: true }>;
}

export interface NamedAccount {
  account: string;
  /** It is in config.yaml already, and the same. */
  exists: boolean;
  /** It is in config.yaml, from an earlier import of this user, and gets other secrets, or runs another program. */
  replaces: boolean;
  /** Settings of the replaced account that the user made, and an import doesn't. */
  kept: object;
  /** The user of this import whose new or replaced account it is, too; null: its own, or one that exists already. */
  sharedWith: string | null;
  /**
   * The name that it would have, if the vault didn't have a login or secrets of an earlier account under it; null:
   * none.
   */
  passed: string | null;
}

export interface KnownAccounts {
  config: Pick<LoadedConfig, 'accounts'>;
  /** The vault's, by account, then by part. */
  secrets: Readonly<Record<string, Readonly<Record<string, Secret>>>>;
  /** The vault's logins, by account. */
  sessions: Readonly<Record<string, object>>;
  before: ImportedBefore;
  programOf: ProgramsOf;
}

/**
 * Names the accounts of users, in their order: the existing one, or that of another user with the same credentials,
 * or the one that this user became before it changed, else a free name. A name under which the vault has a login or
 * secrets is not free: they would be the new account's. `chosen`: names that the user wants, by user.
 */
export function nameAccounts(
  users: readonly UserToName[],
  known: KnownAccounts,
  chosen: ReadonlyMap<string, string> = new Map(),
): Map<string, NamedAccount> {
  const { config, before } = known;
  const existing = createAccountFinder(known);
  const keyed = users.map(({ user, made }) => {
    const wanted = chosen.get(user.name) ?? cleanName(user.name, 'account');
    const keys = keysOfMade(made, known.programOf);
    const hasSecret = Object.hasOwn(made.secrets, 'clientSecret');
    // An earlier import may have added the scope.
    const there =
      existing(keys, hasSecret, wanted) ??
      (lacksOfflineAccess(made)
        ? existing(keysOfMade(withOfflineAccess(made), known.programOf), hasSecret, wanted)
        : null) ??
      // Or the user took it without; the wish is for new accounts.
      (made.addedScope
        ? existing(keysOfMade(withoutAddedScope(made), known.programOf), hasSecret, wanted)
        : null);
    return { user, made, wanted, key: keys.whole, there };
  });
  // What another user of this import still matches stays as it is.
  const stays = new Set(keyed.flatMap(({ there }) => there ?? []));
  const isLeft = (name: string) => !config.accounts.has(name) && hasLeftovers(known, name);
  const names = new FreeNames((name) => config.accounts.has(name) || isLeft(name));
  const planned = new Map<string, { account: string; user: string }>();
  const named = new Map<string, NamedAccount>();
  // The name that was chosen for any of the users with the same credentials is their account's.
  const chosenOf = chosenByGroup(
    keyed.flatMap(({ user, key }): [string, string][] => (key === null ? [] : [[user.name, key]])),
    chosen,
  );
  for (const { user, made, wanted: ownName, key, there } of keyed) {
    const wanted = (key === null ? undefined : chosenOf.get(key)) ?? ownName;
    const shared = key === null ? undefined : planned.get(key);
    if (there !== null || shared !== undefined) {
      const account = there ?? shared?.account ?? wanted;
      const sharedWith = there === null ? (shared?.user ?? null) : null;
      named.set(user.name, {
        ...{ account, exists: there !== null, replaces: false, kept: {} },
        ...{ sharedWith, passed: null },
      });
      continue;
    }
    const earlier = config.accounts.get(before.account(user.origin.file, user.name) ?? '');
    const replaces = earlier !== undefined && !stays.has(earlier.name) && isSameKind(earlier, made);
    const account = replaces
      ? earlier.name
      : names.take(wanted, (name) => isLeft(name) && hasJust(made.secrets, name, known));
    stays.add(account);
    const kept = replaces ? keptOf(earlier.config) : {};
    const passed = !replaces && account !== wanted && isLeft(wanted) ? wanted : null;
    named.set(user.name, { account, exists: false, replaces, kept, sharedWith: null, passed });
    if (key !== null) {
      planned.set(key, { account, user: user.name });
    }
  }
  return named;
}

/** The vault has only these secrets under the name: an earlier import stopped here. */
function hasJust(
  own: Readonly<Record<string, Secret>>,
  name: string,
  { secrets, sessions }: KnownAccounts,
): boolean {
  const left = secrets[name] ?? {};
  return (
    !Object.hasOwn(sessions, name) &&
    Object.keys(left).length === Object.keys(own).length &&
    Object.entries(own).every(([part, secret]) => left[part]?.reveal() === secret.reveal())
  );
}

/** The user may have changed an OpenID account a lot since; replacing it could lose that. */
function isSameKind({ config }: LoadedAccount, { value }: UserToName['made']): boolean {
  return (['staticToken', 'clientCertificate', 'execPlugin'] as const).some(
    (kind) => kind in config && kind in value,
  );
}

/** For a plugin: the settings that no kubeconfig has. */
function keptOf(config: AccountConfig): object {
  if (!('execPlugin' in config)) {
    return {};
  }
  const { environment, timeoutSeconds, cacheSeconds, share, pin } = config.execPlugin;
  return {
    ...(environment !== undefined && { environment }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(cacheSeconds !== undefined && { cacheSeconds }),
    ...(!share && { share }),
    ...(pin && { pin }),
  };
}

function createAccountFinder({ config, secrets, programOf }: KnownAccounts) {
  const whole = new Map<string, Set<string>>();
  const withoutSecret = new Map<string, Set<string>>();
  for (const account of config.accounts.values()) {
    const own = Object.hasOwn(secrets, account.name) ? (secrets[account.name] ?? {}) : {};
    const keys = keysOfLoaded(account, own, programOf);
    add(whole, keys.whole, account.name);
    add(withoutSecret, keys.withoutSecret, account.name);
  }
  return (keys: AccountKeys, hasSecret: boolean, wanted: string): string | null => {
    const same = get(whole, keys.whole) ?? (hasSecret ? undefined : get(withoutSecret, keys.withoutSecret));
    const [first] = same ?? [];
    return same?.has(wanted) ? wanted : (first ?? null);
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
