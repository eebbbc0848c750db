import type { BoundPrograms } from '../accounts/plugins/bound-programs.ts';
import { type CachedExpiry, cachedExpiry, isKept } from '../accounts/plugins/cached-expiry.ts';
import type { ConfiguredKind } from '../contract/config/config.ts';
import { clockText, spanText } from '../contract/ui/time-texts.ts';
import type { PendingChange } from '../domain/approval/binding.ts';
import type { ImportOffer } from '../domain/import/import-offer.ts';
import { programWords } from '../domain/program/program.ts';
import { changedProgram, type ProgramCheck } from '../domain/program/program-check.ts';
import { registryName } from '../domain/target/registry-target.ts';
import { clusterName } from '../domain/target/target.ts';
import { accountAdvice, adviceText } from '../domain/text/advice.ts';
import type { UndoneEdit } from '../domain/undone-edit.ts';
import type { Grants } from '../grants/grants.ts';
import type { Account, AccountState } from '../ports/account.ts';
import type { Clock } from '../ports/clock.ts';
import type { ActiveConfig, ConfigProblem, LoadedCluster, LoadedRegistry } from '../ports/config-store.ts';
import type { RequestProxy } from '../ports/request-proxy.ts';
import type { VaultState } from '../ports/vault.ts';
import type { Bindings } from './bindings.ts';
import type { IdleLock } from './idle-lock.ts';
import type { Lock } from './lock.ts';

export interface AccountStatus extends Omit<AccountState, 'state' | 'missing'> {
  name: string;
  /**
   * `held`: nothing is issued for it: it has no approved form, or its plugin's program was changed
   * (rule: confirmed-binding).
   */
  state: AccountState['state'] | 'held';
  /** What to do: a command, or a step in words; null: nothing. */
  advice: string | null;
  /** config.yaml has another form of it than the approved one. */
  pending: boolean;
  /** Life left, in seconds; 0: it has expired; null: it never expires, or none is cached. */
  secondsLeft: number | null;
  /** For a wrapped plugin: how its expiry is known. */
  endIs?: CachedExpiry['endIs'] | undefined;
}

export interface ClusterStatus {
  name: string;
  /** What the user calls it; null: by its name. */
  displayName: string | null;
  server: string;
  account: string;
  /**
   * `ready`, why its account isn’t, `held` (rule: confirmed-binding), `rejecting` (rule: inferred-401), or
   * `unknownAccount`: config.yaml has no account of that name.
   */
  state: string;
  /** config.yaml has another form of it than the approved one. */
  pending: boolean;
  /** The server’s certificate isn’t verified (`insecureSkipTlsVerify`). */
  isInsecure: boolean;
  /** One sentence where something is wrong. */
  problem: string | null;
  /** Expiry of its cached credential, also one for its own audience; milliseconds since 1970; null: never, or none. */
  expiresAt: number | null;
}

export interface RegistryStatus {
  name: string;
  matchImages: readonly string[];
  account: string;
  /** `ready`, why its account isn’t, `held` (rule: confirmed-binding), or `unknownAccount`. */
  state: string;
  /** config.yaml has another form of it than the approved one. */
  pending: boolean;
  /** Milliseconds since 1970; null: never, or no credential is cached. */
  expiresAt: number | null;
}

/** What is cached, for which account and cluster, for how long, and what needs the user. Contains no secret. */
export interface Status {
  broker: { version: string; pid: number; uptimeSeconds: number; home: string };
  vault: VaultState;
  /** When it locks automatically if the user asks for nothing; null: it doesn't. */
  idleLock: { afterIdleSeconds: number; inSeconds: number } | null;
  config: { file: string; problems: readonly ConfigProblem[] };
  /** `problems`: sentences; empty: everything is on record. */
  history: { file: string; problems: readonly string[] };
  /** Why the scrape endpoint isn't running although it should; null: all is well. */
  metrics: { problem: string | null };
  /** What the request proxy can’t do; `cluster` null: for any. */
  requestProxy: { faults: ReturnType<RequestProxy['faults']> };
  /**
   * Names of entries whose change in config.yaml is pending approval; `program`, `module`: of accounts whose
   * plugin's program, or PKCS#11 module, is. `served`: the approved form stays active. `inventory`: of the profile that a cluster is.
   */
  held: readonly {
    what: PendingChange['what'] | 'program' | 'module';
    name: string;
    change: string;
    served: boolean;
    inventory?: string;
  }[];
  /** Edits of Lanyard’s in the user’s files that other programs have undone. */
  undone: readonly UndoneEdit[];
  /** Users that other programs wrote into the user's kubeconfigs. */
  imports: readonly ImportOffer[];
  accounts: readonly AccountStatus[];
  clusters: readonly ClusterStatus[];
  registries: readonly RegistryStatus[];
}

export interface OneStatus {
  /** The cluster's or the account's state; `unknown`: config.yaml has none by that name. */
  state: string;
  /** The identity. */
  subject: string | null;
  /** Life left, in seconds; 0: it has expired; null: it never expires, or none is cached. */
  secondsLeft: number | null;
}

export interface StatusReader {
  read(): Promise<Status>;
  /** Only one cluster's status; its account's where the cluster is null. */
  readOne(names: { account: string; cluster: string | null }): Promise<OneStatus>;
}

export interface StatusDeps {
  version: string;
  pid: number;
  home: string;
  clock: Clock;
  lock: Pick<Lock, 'gate' | 'state'>;
  idleLock: Pick<IdleLock, 'state'>;
  config: ActiveConfig;
  bindings: Pick<Bindings, 'changes' | 'pending' | 'isServed'>;
  imports: { offers(): readonly ImportOffer[] };
  undone(): Promise<readonly UndoneEdit[]>;
  programs: Pick<BoundPrograms, 'checkAll'>;
  peekAccount(name: string): Account | null;
  grants: Pick<Grants, 'troubleOf' | 'expiryFor' | 'cachedFor' | 'rejectingSince' | 'hasValid'>;
  history: { readonly file: string; problems(): readonly string[] };
  scraping: { problem(): string | null };
  requestProxy: Pick<RequestProxy, 'faults'>;
}

export function createStatusReader(deps: StatusDeps): StatusReader {
  const startedAt = deps.clock.boottime();
  const isHeld = (what: ConfiguredKind, name: string) =>
    deps.lock.gate() === null && !deps.bindings.isServed(what, name);
  const isPending = (what: ConfiguredKind, name: string) =>
    deps.lock.gate() === null && deps.bindings.pending(what, name) !== null;
  const cachedFor = (name: string) => deps.grants.cachedFor(name).filter((each) => isKept(each.credential));
  const programChecks = async (names?: readonly string[]) =>
    deps.lock.gate() ? new Map<string, ProgramCheck>() : deps.programs.checkAll(names);
  const readAccount = async (
    name: string,
    check: ProgramCheck | undefined,
  ): Promise<AccountStatus | null> => {
    const account = deps.peekAccount(name);
    const own = await account?.state();
    const held = account?.keepsNothing ? cachedFor(name) : null;
    const state: (AccountState & Partial<CachedExpiry>) | undefined = own && held ? withHeld(own, held) : own;
    const isWaiting = isHeld('account', name) || (check && changedProgram(name, check) !== null);
    const config = deps.config.current().accounts.get(name)?.config;
    if (!state || !config) {
      return null;
    }
    const { missing: _, ...shown } = state;
    const trouble = troubleOf(name, state.endIs);
    const problem = state.problem ?? trouble;
    const isValid =
      deps.grants.hasValid(name, null) || (state.expiresAt !== null && state.expiresAt > deps.clock.now());
    // What was cached has expired, and another can’t be had.
    const isOut = state.state === 'ready' && trouble !== null && !isValid;
    // Nothing is issued while locked, also of an account that needs no vault.
    const shownState = deps.lock.gate() ? 'locked' : isWaiting ? 'held' : isOut ? 'failing' : state.state;
    const advice = accountAdvice({ name, ...state, state: shownState, problem }, config);
    return {
      name,
      ...shown,
      state: shownState,
      pending: isPending('account', name),
      problem,
      advice: advice && adviceText(advice),
      secondsLeft: secondsLeft(state, deps.clock.now()),
    };
  };
  /** Of what needs a token for its own audience: it works while there is one, and fails where none can be had. */
  const stateFor = (ofAccount: string, account: string, audience: string | undefined) => {
    if (audience === undefined) {
      return ofAccount;
    }
    if (deps.grants.hasValid(account, audience)) {
      return ofAccount === 'failing' ? 'ready' : ofAccount;
    }
    return ofAccount === 'ready' && deps.grants.troubleOf(account, audience) !== null ? 'failing' : ofAccount;
  };
  /** Of a cluster or registry, as far as its account and its approval decide it. */
  const stateOf = (
    what: 'cluster' | 'registry',
    name: string,
    { account, audience }: { account: string; audience?: string | undefined },
    of: AccountStatus | null,
  ) => {
    if (!deps.config.current().accounts.has(account)) {
      return 'unknownAccount';
    }
    return isHeld(what, name) ? 'held' : stateFor(of?.state ?? 'invalid', account, audience);
  };
  /** What a plugin gave to some callers serves them, whatever it said to others. */
  const troubleOf = (name: string, endIs: CachedExpiry['endIs'] = 'nothing') =>
    endIs === 'nothing' ? deps.grants.troubleOf(name, null) : null;
  const readCluster = ({ name, config }: LoadedCluster, of: AccountStatus | null): ClusterStatus => {
    const { server, account, audience, displayName = null, insecureSkipTlsVerify = false } = config;
    return {
      name,
      displayName,
      server,
      account,
      ...clusterState(name, config, of),
      pending: isPending('cluster', name),
      isInsecure: insecureSkipTlsVerify,
      expiresAt:
        audience !== undefined
          ? deps.grants.expiryFor(account, audience)
          : of?.endIs === undefined
            ? (of?.expiresAt ?? null)
            : cachedExpiry(cachedFor(account), clusterName(name)).expiresAt,
    };
  };
  const clusterState = (
    name: string,
    { account, audience }: LoadedCluster['config'],
    of: AccountStatus | null,
  ): Pick<ClusterStatus, 'state' | 'problem'> => {
    const since = deps.grants.rejectingSince(clusterName(name));
    const state = stateOf('cluster', name, { account, audience }, of);
    if (state === 'unknownAccount') {
      return { state, problem: `config.yaml has no account ${account}` };
    }
    if (state === 'held') {
      return { state, problem: null };
    }
    if (since !== null && state === 'ready') {
      const problem = `it rejects credentials with 401 since ${clockText(since, deps.clock.now())}`;
      return { state: 'rejecting', problem };
    }
    const trouble = audience === undefined ? null : deps.grants.troubleOf(account, audience);
    return { state, problem: trouble && `the token for ${audience} ${trouble}` };
  };
  const readRegistry = ({ name, config }: LoadedRegistry, of: AccountStatus | null): RegistryStatus => {
    const { matchImages, account, audience } = config;
    return {
      name,
      matchImages,
      account,
      state: stateOf('registry', name, config, of),
      pending: isPending('registry', name),
      // What was made for one registry is none of another's.
      expiresAt:
        of?.endIs !== undefined
          ? cachedExpiry(cachedFor(account), registryName(name)).expiresAt
          : audience !== undefined
            ? deps.grants.expiryFor(account, audience)
            : (of?.expiresAt ?? null),
    };
  };
  return {
    async read() {
      const { accounts, clusters, registries } = deps.config.current();
      const held = deps.lock.gate() ? [] : deps.bindings.changes();
      const programs = await programChecks();
      const changedPrograms = [...programs].flatMap(([name, check]) => changedProgram(name, check) ?? []);
      const byName = new Map<string, AccountStatus>();
      for (const name of accounts.keys()) {
        const state = await readAccount(name, programs.get(name));
        if (state !== null) {
          byName.set(name, state);
        }
      }
      return {
        broker: {
          version: deps.version,
          pid: deps.pid,
          uptimeSeconds: Math.round((deps.clock.boottime() - startedAt) / 1000),
          home: deps.home,
        },
        vault: deps.lock.state(),
        idleLock: deps.idleLock.state(),
        config: { file: deps.config.file, problems: deps.config.problems() },
        history: { file: deps.history.file, problems: deps.history.problems() },
        metrics: { problem: deps.scraping.problem() },
        requestProxy: { faults: deps.requestProxy.faults() },
        held: [
          ...held.map(({ what, name, change, served }) => {
            const origin = what === 'cluster' ? clusters.get(name)?.origin : undefined;
            return { what, name, change, served, ...(origin && { inventory: origin.inventory }) };
          }),
          ...changedPrograms.map(({ account, change, now }) => ({
            what: programWords(now).noun,
            name: account,
            change,
            served: false,
          })),
        ],
        undone: await deps.undone(),
        imports: deps.imports.offers(),
        accounts: [...byName.values()],
        clusters: [...clusters.values()].map((cluster) =>
          readCluster(cluster, byName.get(cluster.config.account) ?? null),
        ),
        registries: [...registries.values()].map((registry) =>
          readRegistry(registry, byName.get(registry.config.account) ?? null),
        ),
      };
    },
    async readOne(names) {
      const cluster = names.cluster === null ? null : deps.config.current().clusters.get(names.cluster);
      const account =
        cluster === undefined
          ? null
          : await readAccount(names.account, (await programChecks([names.account])).get(names.account));
      const one = cluster ? readCluster(cluster, account) : account;
      return {
        state: one?.state ?? 'unknown',
        subject: account?.subject ?? null,
        secondsLeft: one && secondsLeft(one, deps.clock.now()),
      };
    },
  };
}

/** A plugin that failed for one caller, with credentials cached for others, serves those and needs no action. */
function withHeld(own: AccountState, held: Parameters<typeof cachedExpiry>[0]): AccountState & CachedExpiry {
  const end = cachedExpiry(held, null);
  const serves = own.state === 'failing' && end.endIs !== 'nothing';
  return { ...own, ...(serves && { state: 'ready', problem: null }), ...end };
}

/** By cluster, how long its cached credential is still valid; null: it never expires, or none is cached. */
export async function readExpiries(
  status: StatusReader,
  clock: Pick<Clock, 'now'>,
): Promise<{ cluster: string; account: string; secondsLeft: number | null }[]> {
  const { clusters } = await status.read();
  return clusters.map(({ name, account, expiresAt }) => ({
    cluster: name,
    account,
    secondsLeft: secondsLeft({ expiresAt }, clock.now()),
  }));
}

function secondsLeft(state: Pick<AccountState, 'expiresAt'>, now: number): number | null {
  return state.expiresAt === null ? null : Math.max(0, Math.ceil((state.expiresAt - now) / 1000));
}

/** Life left in words. */
export function whenText(account: Pick<AccountStatus, 'secondsLeft' | 'state' | 'endIs'>): string {
  const left = account.secondsLeft;
  if (left === null) {
    return account.state === 'ready' ? (account.endIs === 'nothing' ? 'no credential' : 'never expires') : '';
  }
  const when = left === 0 ? 'expired' : `in ${spanText(left * 1000)}`;
  return account.endIs === 'read' ? `${when} (from token)` : when;
}
