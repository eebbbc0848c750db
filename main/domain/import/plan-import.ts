import type { Secret } from '../../base/secret.ts';
import type { ImportPlan, PlainElsewhere, PlannedCluster, PlannedUser } from '../import-plan.ts';
import type { KubeContext, KubeUser, MergedKubeconfig } from '../kubeconfig.ts';
import type { LoadedConfig } from '../loaded-config.ts';
import { plainAddress } from '../new-cluster.ts';
import { visibleText } from '../visible-text.ts';
import { createAccountNamer, type NamedAccount } from './account-names.ts';
import { describeUser } from './classify-user.ts';
import { createClusterMaker, type MadeCluster } from './cluster-entry.ts';
import { nameClusters } from './cluster-names.ts';
import type { AccountSources, MadeAccount } from './made-account.ts';
import { plainSecretsOf } from './plain-secrets.ts';
import { planQuestions } from './questions.ts';
import { userAccount } from './user-account.ts';

export interface ImportOptions extends AccountSources {
  merged: MergedKubeconfig;
  config: Pick<LoadedConfig, 'accounts' | 'clusters'>;
  /** The vault's, by account, then by part: an account is the same where its secrets are. */
  secrets: Readonly<Record<string, Readonly<Record<string, Secret>>>>;
  /** Import these contexts alone; null: all. */
  contexts: readonly string[] | null;
  inPlace: boolean;
}

type Good<T> = Extract<T, { ok: true }>;
type AccountOf = { made: Good<MadeAccount>; named: NamedAccount } | { left: string };

/** What an import would make of a kubeconfig. It changes nothing, and plans nothing for what is there already. */
export function planImport(options: ImportOptions): ImportPlan {
  const { merged, config } = options;
  const asked = options.contexts === null ? null : new Set(options.contexts);
  const chosen = [...merged.contexts.values()].filter(({ name }) => asked === null || asked.has(name));
  const used = new Set(chosen.map(({ user }) => user));
  const nameAccount = createAccountNamer(config, options.secrets);
  const accounts = new Map<string, AccountOf>();
  for (const user of merged.users.values()) {
    if (used.has(user.name)) {
      const made = userAccount(user, options);
      accounts.set(user.name, made.ok ? { made, named: nameAccount(user.name, made) } : { left: made.left });
    }
  }
  const makeCluster = createClusterMaker();
  const looked = chosen.map((context) => ({ context, found: look(context, merged, accounts, makeCluster) }));
  const good = looked.flatMap(({ context, found }) => ('left' in found ? [] : [{ context, ...found }]));
  const names = nameClusters(
    good.map(({ context, made, named }) => ({ context: context.name, made, account: named.account })),
    config,
  );
  const existsOf = (context: string) => names.get(context)?.exists ?? false;
  return {
    users: plannedUsers(merged, accounts, new Set(good.map(({ context }) => context.name))),
    clusters: looked.map(({ context, found }): PlannedCluster => {
      const common = {
        context: context.name,
        cluster: context.cluster,
        user: context.user,
        file: context.origin.file,
        line: context.origin.line,
        server: shownServer(merged.clusters.get(context.cluster)?.server ?? ''),
      };
      if ('left' in found) {
        return { ...common, becomes: { left: found.left }, notes: [] };
      }
      const { account } = found.named;
      const { cluster, exists } = names.get(context.name) ?? { cluster: context.name, exists: false };
      const value = { ...found.made.value, account };
      return {
        ...common,
        becomes: { cluster, exists, value, account, namespace: context.namespace },
        notes: [
          ...found.made.notes,
          ...(cluster === context.name
            ? []
            : [`its name becomes ${cluster}: it was ${visibleText(context.name, 200)}`]),
        ],
      };
    }),
    unused: unusedOf(merged),
    questions: planQuestions(
      good.map(({ context, made, named, value }) => ({
        context: context.name,
        made,
        exists: existsOf(context.name),
        account: named.account,
        value,
      })),
      config,
    ),
    plainElsewhere: plainElsewhere(merged, used),
    notes: [...(asked ?? [])]
      .filter((name) => !merged.contexts.has(name))
      .map((name) => `there is no context ${visibleText(name, 200)}`),
  };
}

function look(
  context: KubeContext,
  merged: MergedKubeconfig,
  accounts: ReadonlyMap<string, AccountOf>,
  makeCluster: (cluster: Parameters<ReturnType<typeof createClusterMaker>>[0]) => MadeCluster,
) {
  const account = accounts.get(context.user);
  const cluster = merged.clusters.get(context.cluster);
  if (cluster === undefined) {
    return { left: missing('cluster', context.cluster) };
  }
  if (account === undefined) {
    return { left: missing('user', context.user) };
  }
  if ('left' in account) {
    return account;
  }
  const made = makeCluster(cluster);
  return made.ok ? { made, named: account.named, value: account.made.value } : { left: made.left };
}

function missing(what: 'cluster' | 'user', name: string): string {
  return name === '' ? `it names no ${what}` : `there is no ${what} ${visibleText(name, 200)}`;
}

function plannedUsers(
  merged: MergedKubeconfig,
  accounts: ReadonlyMap<string, AccountOf>,
  imported: ReadonlySet<string>,
): PlannedUser[] {
  const neededBy = new Map<string, string[]>();
  for (const { name, user } of merged.contexts.values()) {
    if (!imported.has(name)) {
      const names = neededBy.get(user);
      names ? names.push(name) : neededBy.set(user, [name]);
    }
  }
  return [...accounts].flatMap(([name, account]) => {
    const user = merged.users.get(name);
    return user ? [plannedUser(user, account, neededBy.get(name) ?? [])] : [];
  });
}

function plannedUser(user: KubeUser, account: AccountOf, neededBy: readonly string[]): PlannedUser {
  const plainNow = plainSecretsOf(user);
  const common = {
    user: user.name,
    file: user.origin.file,
    line: user.origin.line,
    ...describeUser(user),
    plainNow,
    neededBy,
  };
  if ('left' in account) {
    return { ...common, becomes: account, plainAfterInPlace: plainNow, notes: [] };
  }
  const { made, named } = account;
  const notes = [...made.notes];
  if (named.sharedWith !== null) {
    notes.push(`the same as ${visibleText(named.sharedWith, 200)}: they share the account ${named.account}`);
  } else if (named.account !== user.name) {
    notes.push(`its account is ${named.account}: the user is ${visibleText(user.name, 200)}`);
  }
  return {
    ...common,
    becomes: {
      account: named.account,
      exists: named.exists,
      value: made.value,
      secrets: made.secrets,
      next: made.needsLogin && !named.exists ? `lanyard login ${named.account}` : null,
    },
    // What is in a file of its own stays there; the entry goes, unless another context needs it.
    plainAfterInPlace: neededBy.length > 0 ? plainNow : plainNow.filter(({ line }) => line === null),
    notes,
  };
}

function unusedOf({ clusters, users, contexts }: MergedKubeconfig): ImportPlan['unused'] {
  const all = [...contexts.values()];
  const usedClusters = new Set(all.map(({ cluster }) => cluster));
  const usedUsers = new Set(all.map(({ user }) => user));
  return {
    clusters: [...clusters.keys()].filter((name) => !usedClusters.has(name)),
    users: [...users.keys()].filter((name) => !usedUsers.has(name)),
  };
}

function plainElsewhere(merged: MergedKubeconfig, planned: ReadonlySet<string>): PlainElsewhere[] {
  const unused = new Set(unusedOf(merged).users);
  const others = [...merged.users.values()]
    .filter(({ name }) => !planned.has(name))
    .map((user) => ({ user, why: unused.has(user.name) ? ('unused' as const) : ('notChosen' as const) }));
  const hidden = merged.hidden.flatMap((entry) =>
    entry.what === 'user' ? [{ user: entry.user, why: 'hidden' as const }] : [],
  );
  return [...others, ...hidden].flatMap(({ user, why }) => {
    const plain = plainSecretsOf(user);
    const { file, line } = user.origin;
    return plain.length === 0 ? [] : [{ user: user.name, file, line, why, plain }];
  });
}

/** What stands before an `@` may be a password, also where the rest can't be read as an address. */
function shownServer(address: string): string {
  return visibleText(plainAddress(address).replace(/^([^/]*\/\/)[^/]*@/, '$1'), 300);
}
