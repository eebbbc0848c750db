import { createHash } from 'node:crypto';
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
  /** It exists, but not from an earlier import of this user: another login may be in it. */
  joins: boolean;
  /** See `ImportedNames`. */
  apart: string | null;
  /** An account, or a user of this import, with the same credentials and another login; null: none. */
  besides: string | null;
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
 * secrets is not free: they would be the new account's. `chosen`: names that the user wants, by user. Where a login
 * decides who it is, a name of its own is a login of its own.
 */
export function nameAccounts(
  users: readonly UserToName[],
  known: KnownAccounts,
  chosen: ReadonlyMap<string, string> = new Map(),
): Map<string, NamedAccount> {
  const { config } = known;
  const keyed = existingOf(
    users.map((each) => wishOf(each, known, chosen)),
    known,
    createAccountFinder(known),
  );
  // What another user of this import still matches stays as it is.
  const stays = new Set(keyed.flatMap(({ there }) => there ?? []));
  const isLeft = (name: string) => !config.accounts.has(name) && hasLeftovers(known, name);
  const names = new FreeNames((name) => config.accounts.has(name) || isLeft(name));
  const planned = new Map<string, { account: string; user: string }>();
  const byKey = Map.groupBy(keyed, ({ key }) => key);
  const named = new Map<string, NamedAccount>();
  // The name that was chosen for any of the users with the same credentials is their account's.
  const chosenOf = chosenByGroup(
    keyed.flatMap(({ user, group }): [string, string][] => (group === null ? [] : [[user.name, group]])),
    chosen,
  );
  for (const each of keyed) {
    const { user, made, key, group, there, alike, apart } = each;
    const wanted = (group === null ? undefined : chosenOf.get(group)) ?? each.wanted;
    const shared = group === null ? undefined : planned.get(group);
    const common = { apart, kept: {}, passed: null, besides: null };
    if (there !== null || shared !== undefined) {
      named.set(user.name, {
        ...common,
        account: there ?? shared?.account ?? wanted,
        exists: there !== null,
        replaces: false,
        sharedWith: there === null ? (shared?.user ?? null) : null,
        joins:
          there !== null && ![each.memory, each.own, user.origin.name].includes(there) && asksWhoItIs(made),
      });
      continue;
    }
    const earlier = config.accounts.get(each.memory ?? '');
    const replaces =
      earlier !== undefined &&
      !alike.has(earlier.name) &&
      !stays.has(earlier.name) &&
      isSameKind(earlier, made);
    const account = replaces
      ? earlier.name
      : names.take(wanted, (name) => isLeft(name) && hasJust(made.secrets, name, known));
    stays.add(account);
    const passed = !replaces && account !== wanted && isLeft(wanted) ? wanted : null;
    const other = key === null ? null : byKey.get(key)?.find((each) => each.group !== group);
    const [besides = other?.user.name ?? null] = alike;
    named.set(user.name, {
      ...common,
      ...{ account, exists: false, replaces, kept: replaces ? keptOf(earlier.config) : {} },
      ...{ sharedWith: null, joins: false, passed, besides },
    });
    if (group !== null) {
      planned.set(group, { account, user: user.name });
    }
  }
  return named;
}

/** A user, and what it may share an account by. */
interface Wish extends UserToName {
  wanted: string;
  /** The account that an earlier import made of this user. */
  memory: string | null;
  /** The name that the user wants for a login of its own. */
  own: string | null;
  /** See `ImportedNames`. */
  apart: string | null;
  key: string | null;
  /** Users of one group share an account. */
  group: string | null;
}

function wishOf(
  { user, made }: UserToName,
  { before, programOf }: KnownAccounts,
  chosen: ReadonlyMap<string, string>,
): Wish {
  const { file, name } = user.origin;
  const wanted = chosen.get(user.name) ?? cleanName(name, 'account');
  const own = asksWhoItIs(made) ? (chosen.get(user.name) ?? null) : null;
  const apart = made.apart === undefined ? null : digestOf(made.apart);
  const key = keysOfMade(made, programOf).whole;
  const group = key === null ? null : JSON.stringify([key, ...(own === null ? [null, apart] : [own])]);
  return { user, made, wanted, memory: before.account(file, name), own, apart, key, group };
}

/** The same entry may be another person's: a login decides that, or a plugin. */
export function asksWhoItIs({ value, needsLogin }: UserToName['made']): boolean {
  return needsLogin || 'execPlugin' in value;
}

/** Order and values of what keeps a login apart, without being readable. */
function digestOf(apart: Readonly<Record<string, string>>): string {
  const said = Object.entries(apart).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url');
}

/** `there`: the existing account of each; null: none. `alike`: all with the same credentials. */
type Existing = Wish & { there: string | null; alike: ReadonlySet<string> };

function existingOf(
  wishes: readonly Wish[],
  known: KnownAccounts,
  find: ReturnType<typeof createAccountFinder>,
): Existing[] {
  const { before, config, programOf } = known;
  /** Whether another user became the account. */
  const isShared = ({ user: { origin } }: Wish, name: string) =>
    before.usersOf(name).some(({ file, user }) => file !== origin.file || user !== origin.name);
  const found = wishes.map((wish): Existing => {
    const { made, wanted, memory, own, apart } = wish;
    const hasSecret = Object.hasOwn(made.secrets, 'clientSecret');
    const alikes = [
      made,
      // An earlier import may have added the scope.
      ...(lacksOfflineAccess(made) ? [withOfflineAccess(made)] : []),
      // Or the user took it without; the wish is for new accounts.
      ...(made.addedScope ? [withoutAddedScope(made)] : []),
    ].map((each) => find(keysOfMade(each, programOf), hasSecret));
    const fits = (name: string) => {
      const users = before.usersOf(name);
      if (users.length > 0) {
        return users.some((user) => user.apart === apart);
      }
      // Made by hand: for a user of its name, or for one whom nothing keeps apart.
      const account = config.accounts.get(name)?.config;
      const hint = account && 'oidc' in account ? account.oidc.loginHint : undefined;
      return (
        apart === null || (hint === undefined ? name === wanted : digestOf({ login_hint: hint }) === apart)
      );
    };
    const isMine = (name: string) => own === null || name === own || !isShared(wish, name);
    const ofOne = (alike: ReadonlySet<string>) =>
      own !== null && alike.has(own)
        ? own
        : [memory, ...(own === null ? [wanted, ...alike] : [])].find(
            (name) => name !== null && alike.has(name) && fits(name) && isMine(name),
          );
    const there = alikes.map(ofOne).find((name) => name != null) ?? null;
    return { ...wish, there, alike: new Set(alikes.flatMap((each) => [...each])) };
  });
  // A user whose flags have changed keeps its account, unless somebody else's login is in it by now.
  const logins = Map.groupBy(found, ({ there }) => there);
  return found.map((each) => {
    const { there, alike, memory, own, apart } = each;
    const keeps =
      there === null &&
      memory !== null &&
      alike.has(memory) &&
      (own === null || !isShared(each, memory)) &&
      (logins.get(memory) ?? []).every((other) => other.apart === apart);
    if (!keeps) {
      return each;
    }
    const kept = { ...each, there: memory };
    logins.set(memory, [...(logins.get(memory) ?? []), kept]);
    return kept;
  });
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
  return (keys: AccountKeys, hasSecret: boolean): ReadonlySet<string> =>
    get(whole, keys.whole) ??
    (hasSecret ? undefined : get(withoutSecret, keys.withoutSecret)) ??
    new Set<string>();
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
