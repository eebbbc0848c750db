import type { Secret } from '../../base/secret.ts';
import type { ConfiguredKind } from '../../contract/config/config.ts';
import type { LoadedEntries } from '../loaded-config.ts';
import { visibleText } from '../text/visible-text.ts';
import { nameAccounts } from './account-names.ts';
import { type ChosenNames, givableNames, noChosenNames } from './chosen-names.ts';
import { createClusterMaker, type MadeCluster } from './cluster-entry.ts';
import { type NamedCluster, nameClusters } from './cluster-names.ts';
import type { ImportPlan } from './import-plan.ts';
import type { ImportedBefore } from './imported-before.ts';
import type { KubeCluster, KubeUser, MergedKubeconfig } from './kubeconfig.ts';
import { lookAtContext, unreachable } from './look-at-context.ts';
import type { AccountSources, MadeAccount } from './made-account.ts';
import { createMixtures } from './mixed-files.ts';
import { lacksOfflineAccess, withOfflineAccess } from './offline-access.ts';
import { plainElsewhere, unusedOf } from './plain-elsewhere.ts';
import { offlineAccessNote } from './plan-notes.ts';
import { type ImportedContext, plannedClusters } from './planned-clusters.ts';
import { tellsPlugin } from './planned-program.ts';
import { type AccountOf, plannedUsers } from './planned-users.ts';
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
  const { merged, config } = options;
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
  const places = new Set([...merged.contexts.values()].map(({ origin }) => `${origin.file}\n${origin.name}`));
  const looked = chosen.map((context) => {
    const left = blocked.get(context.name);
    return left === undefined
      ? lookAtContext(context, merged, accounts, (cluster) => makeCluster(cluster, tells(context.user)))
      : { context, left };
  });
  const found = looked.flatMap((each) => ('left' in each ? [] : [each]));
  const names = nameClusters(
    found.map(({ context, made, account }) => ({
      context: context.name,
      origin: context.origin,
      made,
      account: account.account,
    })),
    config,
    options.before,
    {
      shares: options.inPlace,
      chosen: chosenNames.clusters,
      isThere: (file, nameInFile) => places.has(`${file}\n${nameInFile}`),
    },
  );
  const named = looked.map((each) =>
    'left' in each ? each : { ...each, cluster: clusterOf(names, each.context.name) },
  );
  const imported = named.flatMap((each) => ('left' in each ? [] : [each]));
  const more = imported.flatMap((each): [string, string][] => {
    const reason = pendingReason(each, options.pending);
    return reason === null ? [] : [[each.context.name, reason]];
  });
  if (more.length > 0) {
    return planWithout(new Map([...blocked, ...more]), options);
  }
  const mixtureOf = createMixtures(merged);
  const offlineAccess = offlineAccessOf([...accounts.values()], options.offlineAccess === true);
  return {
    users: plannedUsers(
      merged,
      accounts,
      new Set(imported.map(({ context }) => context.name)),
      options.programOf,
      wantedNames.accounts,
    ),
    clusters: plannedClusters(named, merged, { chosen: wantedNames.clusters, mixtureOf }),
    unused: unusedOf(merged),
    questions: planQuestions(
      imported.map(({ context, made, account, value, cluster: { exists, replaces, sharedWith } }) => ({
        context: context.name,
        made,
        mixed: mixtureOf(context).asked,
        exists,
        // Contexts that share a cluster have no separate entry that could be replaced.
        replaces: sharedWith === null ? replaces : null,
        account: account.account,
        accountExists: account.exists,
        accountReplaced: account.replaces,
        value,
      })),
      config,
    ),
    plainElsewhere: plainElsewhere(merged, used),
    offlineAccess,
    notes: [
      ...(offlineAccess === null ? [] : [offlineAccessNote(offlineAccess)]),
      ...[...(asked ?? [])]
        .filter((name) => !merged.contexts.has(name))
        .map((name) => `there is no context ${visibleText(name, 200)}`),
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

/** Why a context is left out: it would replace an entry with a pending change. Null: it wouldn’t. */
function pendingReason({ account, cluster }: ImportedContext, pending: ReadonlySet<string>): string | null {
  const replaced: [ConfiguredKind, string | undefined][] = [
    ['cluster', cluster.replaces?.name],
    ['account', account.replaces ? account.account : undefined],
  ];
  const [what, name] =
    replaced.find(([kind, each]) => each !== undefined && pending.has(`${kind} ${each}`)) ?? [];
  return name === undefined
    ? null
    : `the ${what} ${name} has a change pending approval: review it first with lanyard confirm ${name}`;
}

function clusterOf(names: ReadonlyMap<string, NamedCluster>, context: string): NamedCluster {
  const named = names.get(context);
  if (named === undefined) {
    throw new Error(`the context ${context} has no cluster`);
  }
  return named;
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

function isGood(
  cluster: KubeCluster | undefined,
  makeCluster: (cluster: KubeCluster) => MadeCluster,
): boolean {
  return cluster !== undefined && makeCluster(cluster).ok;
}
