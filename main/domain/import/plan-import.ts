import type { Secret } from '../../base/secret.ts';
import type { ConfiguredKind } from '../../contract/config/config.ts';
import type { LoadedEntries } from '../loaded-config.ts';
import { plainAddress } from '../server/new-cluster.ts';
import { visibleText } from '../text/visible-text.ts';
import { nameAccounts } from './account-names.ts';
import { type ChosenNames, givableNames, noChosenNames } from './chosen-names.ts';
import { lostName } from './clean-name.ts';
import { createClusterMaker, type MadeCluster, policyOf } from './cluster-entry.ts';
import { type NamedCluster, nameClusters } from './cluster-names.ts';
import type { ImportPlan, PlannedCluster } from './import-plan.ts';
import type { ImportedBefore } from './imported-before.ts';
import type { KubeCluster, KubeContext, KubeUser, MergedKubeconfig } from './kubeconfig.ts';
import { localProxyNotes } from './local-proxy.ts';
import type { AccountSources, MadeAccount } from './made-account.ts';
import { lacksOfflineAccess, withOfflineAccess } from './offline-access.ts';
import { plainElsewhere, unusedOf } from './plain-elsewhere.ts';
import { tellsPlugin } from './planned-program.ts';
import { type AccountOf, entryOf, plannedUsers } from './planned-users.ts';
import { listed } from './question-words.ts';
import { planQuestions } from './questions.ts';
import { sharedRedirectNotes } from './shared-redirect-notes.ts';
import { userAccount } from './user-account.ts';

export interface ImportOptions extends AccountSources {
  merged: MergedKubeconfig;
  config: LoadedEntries;
  /** The vault's, by account, then by part: accounts are equal where their secrets are. */
  secrets: Readonly<Record<string, Readonly<Record<string, Secret>>>>;
  /** The vault's logins, by account: a new account gets no name that has one. */
  sessions: Readonly<Record<string, object>>;
  /** What changed since an earlier import replaces what that import made, if the user agrees. */
  before: ImportedBefore;
  /** `account NAME`, `cluster NAME`: entries of config.yaml whose change is pending (rule: confirmed-binding). */
  pending: ReadonlySet<string>;
  /** Import only these contexts; null: all. */
  contexts: readonly string[] | null;
  inPlace: boolean;
  /** Valid in config.yaml. */
  names?: ChosenNames | undefined;
  /** Accounts that would request no refresh token request one. */
  offlineAccess?: boolean | undefined;
}

/** What an import would make of a kubeconfig. It changes nothing, and plans nothing for what exists already. */
export function planImport(options: ImportOptions): ImportPlan {
  return planWithout(new Map(), options);
}

/**
 * `blocked`: contexts that would replace an entry with a pending change, and why each is left out. An import approves
 * the complete entry that it replaces, with its other settings; so those must have been approved before.
 */
function planWithout(blocked: ReadonlyMap<string, string>, options: ImportOptions): ImportPlan {
  const { merged, config, pending } = options;
  const asked = options.contexts === null ? null : new Set(options.contexts);
  const chosen = [...merged.contexts.values()].filter(({ name }) => asked === null || asked.has(name));
  const makeCluster = createClusterMaker();
  const used = new Set(chosen.map(({ user }) => user));
  const made = new Map(
    [...merged.users.values()]
      .filter(({ name }) => used.has(name))
      .map((user) => [user.name, accountFor(user, options)] as const),
  );
  const tells = (user: string) => {
    const account = made.get(user);
    return account?.ok === true && tellsPlugin(account.value);
  };
  const reachable = new Set(
    chosen
      .filter(
        ({ name, cluster, user }) =>
          !blocked.has(name) &&
          isGood(merged.clusters.get(cluster), (each) => makeCluster(each, tells(user))),
      )
      .map(({ user }) => user),
  );
  const wantedNames = options.names ?? noChosenNames;
  const chosenNames = givableNames(wantedNames, merged);
  const accounts = accountsOf(made, reachable, chosenNames, options);
  const looked = chosen.map((context) => ({
    context,
    found:
      leftOut(blocked, context.name) ??
      look(context, merged, accounts, (cluster) => makeCluster(cluster, tells(context.user))),
  }));
  const good = looked.flatMap(({ context, found }) => ('left' in found ? [] : [{ context, ...found }]));
  const goodOf = new Map(good.map((each) => [each.context.name, each]));
  const names = nameClusters(
    good.map(({ context, made, named }) => ({
      context: context.name,
      file: context.origin.file,
      made,
      account: named.account,
    })),
    config,
    options.before,
    {
      shares: options.inPlace,
      chosen: chosenNames.clusters,
      isThere: (file, context) => merged.contexts.get(context)?.origin.file === file,
    },
  );
  const more = good.flatMap(({ context, named }): [string, string][] => {
    const cluster = names.get(context.name)?.replaces?.name;
    const account = named.replaces ? named.account : undefined;
    if (cluster !== undefined && pending.has(`cluster ${cluster}`)) {
      return [[context.name, pendingReason('cluster', cluster)]];
    }
    return account !== undefined && pending.has(`account ${account}`)
      ? [[context.name, pendingReason('account', account)]]
      : [];
  });
  if (more.length > 0) {
    return planWithout(new Map([...blocked, ...more]), options);
  }
  const offlineAccess = offlineAccessOf([...accounts.values()], options.offlineAccess === true);
  return {
    users: plannedUsers(
      merged,
      accounts,
      new Set(good.map(({ context }) => context.name)),
      options.programOf,
    ),
    clusters: looked.map(({ context, found }): PlannedCluster => {
      const common = {
        context: context.name,
        cluster: context.cluster,
        user: context.user,
        file: context.origin.file,
        line: context.origin.line,
        server: shownServer(merged.clusters.get(context.cluster)?.server ?? ''),
      };
      const cluster = merged.clusters.get(context.cluster);
      const local = cluster === undefined ? [] : localProxyNotes(cluster);
      if ('left' in found) {
        return { ...common, becomes: { left: found.left }, notes: local };
      }
      const { account } = found.named;
      const {
        cluster: name,
        exists,
        replaces,
        sharedWith,
      } = names.get(context.name) ?? newCluster(context.name);
      // Contexts that share a cluster have its one entry.
      const own = sharedWith === null ? found.made : (goodOf.get(sharedWith)?.made ?? found.made);
      const shown = exists
        ? undefined
        : (replaces?.config.displayName ?? lostName(sharedWith ?? context.name));
      const value = {
        ...own.value,
        account,
        ...(replaces && policyOf(replaces.config)),
        ...(shown !== undefined && { displayName: shown }),
      };
      const was = replaces && shownServer(replaces.config.server);
      return {
        ...common,
        becomes: {
          ...{ cluster: name, exists, replaces: was, value, account, sharedWith },
          namespace: context.namespace,
        },
        notes: [
          ...found.made.notes,
          ...local,
          ...(sharedWith !== null
            ? [`the same cluster as the context ${visibleText(sharedWith, 200)}`]
            : name === context.name
              ? []
              : [
                  value.displayName === undefined
                    ? `its name becomes ${name}: it was ${visibleText(context.name, 200)}`
                    : `its name becomes ${name}; ${visibleText(value.displayName, 200)} stays its display name`,
                ]),
        ],
      };
    }),
    unused: unusedOf(merged),
    questions: planQuestions(
      good.map(({ context, made, named, value }) => {
        const { exists, replaces, sharedWith } = names.get(context.name) ?? newCluster(context.name);
        return {
          context: context.name,
          made,
          exists,
          // Contexts that share a cluster have no separate entry that could be replaced.
          replaces: sharedWith === null ? replaces : null,
          account: named.account,
          accountExists: named.exists,
          accountReplaced: named.replaces,
          value,
        };
      }),
      config,
    ),
    plainElsewhere: plainElsewhere(merged, used),
    offlineAccess,
    notes: [
      ...(offlineAccess === null ? [] : [offlineAccessNote(offlineAccess)]),
      ...[...(asked ?? [])]
        .filter((name) => !merged.contexts.has(name))
        .map((name) => `there is no context ${visibleText(name, 200)}`),
      ...takenNotes(wantedNames, accounts, names),
      ...sharedRedirectNotes(config, [...accounts.values()]),
    ],
  };
}

function accountsOf(
  users: ReadonlyMap<string, MadeAccount>,
  reachable: ReadonlySet<string>,
  chosen: ChosenNames,
  options: ImportOptions,
): Map<string, AccountOf> {
  const good = [...users].flatMap(([name, made]) => {
    const user = options.merged.users.get(name);
    return user && made.ok && reachable.has(name) ? [{ user, made }] : [];
  });
  const names = nameAccounts(good, options, chosen.accounts);
  return new Map(
    [...users].map(([name, made]): [string, AccountOf] => {
      const named = names.get(name);
      return [name, made.ok && named ? { made, named } : { left: made.ok ? unreachable : made.left }];
    }),
  );
}

/** Where a new entry gets another name than the one that was chosen. */
function takenNotes(
  chosen: ChosenNames,
  accounts: ReadonlyMap<string, AccountOf>,
  clusters: ReturnType<typeof nameClusters>,
): string[] {
  const taken = (what: ConfiguredKind, of: string, name: string, became: string | undefined) =>
    became === undefined || became === name
      ? []
      : [`the name ${name} can’t be given to the ${what} of ${visibleText(of, 200)}: it is ${became}`];
  return [
    ...[...chosen.clusters].flatMap(([context, name]) =>
      taken('cluster', context, name, clusters.get(context)?.cluster),
    ),
    ...[...chosen.accounts].flatMap(([user, name]) => {
      const of = accounts.get(user);
      return taken('account', user, name, of && 'named' in of ? of.named.account : undefined);
    }),
  ];
}

function leftOut(blocked: ReadonlyMap<string, string>, context: string): { left: string } | null {
  const left = blocked.get(context);
  return left === undefined ? null : { left };
}

function pendingReason(what: ConfiguredKind, name: string): string {
  return `the ${what} ${name} has a change pending approval: review it first with lanyard confirm ${name}`;
}

function accountFor(user: KubeUser, options: ImportOptions): MadeAccount {
  const made = userAccount(user, options);
  return options.offlineAccess && made.ok && lacksOfflineAccess(made) ? withOfflineAccess(made) : made;
}

/** New accounts that could ask for a refresh token, or do so now. */
function offlineAccessOf(accounts: readonly AccountOf[], added: boolean): ImportPlan['offlineAccess'] {
  const names = accounts.flatMap((each) =>
    !('left' in each) &&
    !each.named.exists &&
    (added ? 'oidc' in each.made.value && each.made.needsLogin : lacksOfflineAccess(each.made))
      ? [each.named.account]
      : [],
  );
  return names.length === 0 ? null : { accounts: [...new Set(names)], added };
}

function offlineAccessNote({ accounts, added }: NonNullable<ImportPlan['offlineAccess']>): string {
  const names = listed(accounts);
  return added
    ? `asked for a refresh token (offline_access): ${names}`
    : `asked for no refresh token, so each needs a login whenever its token expires: ${names}; --offline-access adds the scope offline_access`;
}

function newCluster(cluster: string): NamedCluster {
  return { cluster, exists: false, replaces: null, sharedWith: null };
}

/** The note for a user that would be an account without a cluster. */
const unreachable = 'none of its contexts can be imported';

function isGood(
  cluster: KubeCluster | undefined,
  makeCluster: (cluster: KubeCluster) => MadeCluster,
): boolean {
  return cluster !== undefined && makeCluster(cluster).ok;
}

function look(
  context: KubeContext,
  merged: MergedKubeconfig,
  accounts: ReadonlyMap<string, AccountOf>,
  makeCluster: (cluster: KubeCluster) => MadeCluster,
) {
  const account = accounts.get(context.user);
  const cluster = merged.clusters.get(context.cluster);
  if (cluster === undefined) {
    return { left: missing('cluster', context.cluster) };
  }
  if (account === undefined) {
    return { left: missing('user', context.user) };
  }
  if ('left' in account && account.left !== unreachable) {
    return account;
  }
  const made = makeCluster(cluster);
  if (!made.ok || 'left' in account) {
    return { left: made.ok ? unreachable : made.left };
  }
  return { made, named: account.named, value: entryOf(account) };
}

function missing(what: 'cluster' | 'user', name: string): string {
  return name === '' ? `it names no ${what}` : `there is no ${what} ${visibleText(name, 200)}`;
}

/** The text before an `@` may be a password, even if the rest is no valid address. */
function shownServer(address: string): string {
  return visibleText(plainAddress(address).replace(/^([^/]*\/\/)[^/]*@/, '$1'), 300);
}
