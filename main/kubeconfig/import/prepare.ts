import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Secret } from '../../base/secret.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { cluster as clusterSchema } from '../../contract/config/cluster.ts';
import type { ChosenNames } from '../../domain/import/chosen-names.ts';
import type {
  ImportPlan,
  PlannedCluster,
  PlannedProgram,
  PlannedUser,
} from '../../domain/import/import-plan.ts';
import type { ImportedBefore } from '../../domain/import/imported-before.ts';
import { planImport, pluginCommandsOf } from '../../domain/import/index.ts';
import type { MergedKubeconfig, NamedFile } from '../../domain/import/kubeconfig.ts';
import type { LoadedCluster, LoadedConfig } from '../../domain/loaded-config.ts';
import type { SetEdit } from '../../ports/config-store.ts';
import type { VaultContent } from '../../ports/vault.ts';
import type { Hunk, KubeconfigChange } from '../edit/change.ts';
import { editKubeconfigText } from '../edit/index.ts';
import { execInfoFits } from '../exec-info-size.ts';
import { helperExec, type KubeconfigApiVersion } from '../helper-exec.ts';
import type { FirstContexts } from '../managed-kubeconfig.ts';
import { changesInPlace } from './in-place.ts';
import type { ProgramInspections } from './program-inspections.ts';
import { type SeenAuthority, seenAuthorities } from './seen-authorities.ts';

/** The user's kubeconfigs, and what else was read for them. */
export interface ImportSource {
  merged: MergedKubeconfig;
  /** CA files of OpenID providers, by absolute path. */
  authorityFiles: ReadonlyMap<string, NamedFile<string>>;
  /** The folder for `~` in kubelogin’s flags. */
  homeDirectory: string;
  /** The caller's PATH, absolute folders alone; null: it isn't known, or is another machine's. */
  searchPath: string | null;
  /** What the commands of plugins lead to. */
  programs: ProgramInspections;
}

export interface ImportSelection {
  /** Only these contexts; null: all. */
  contexts: readonly string[] | null;
  inPlace: boolean;
  /** What the user calls new entries. */
  names?: ChosenNames | undefined;
  /** Accounts that would ask for no refresh token ask for one. */
  offlineAccess?: boolean | undefined;
  apiVersion: KubeconfigApiVersion;
}

export type SeenPrograms = Readonly<Record<string, { path: string; sha256: string | null } | null>>;

/** One of the user's files, edited. */
export interface FileEdit {
  path: string;
  mode: number;
  before: string;
  text: string;
  /** Entries that change. */
  changes: number;
  /** Made when they are shown: thousands of changes take a second. */
  readonly hunks: readonly Hunk[];
  /** Accounts whose secrets are still in it: another entry has the anchor. */
  stillHolds: readonly string[];
}

/** All that an import would do, worked out; nothing is done yet. */
export interface PreparedImport {
  plan: ImportPlan;
  /** What the plan was made against: where the config has changed since, it counts no more. */
  seen: LoadedConfig;
  edits: readonly SetEdit[];
  /** CAs that are files: who can write there could have put another one in its place since it was shown. */
  authorities: readonly SeenAuthority[];
  /** For the vault, by new account. */
  secrets: Readonly<Record<string, Readonly<Record<string, Secret>>>>;
  /** By new account that runs a plugin, the program that was shown; null: there was none. */
  programs: SeenPrograms;
  /** For the managed kubeconfig. */
  first: FirstContexts;
  files: readonly FileEdit[];
}

export interface PrepareDeps {
  config: LoadedConfig;
  content: Pick<VaultContent, 'secrets' | 'sessions'>;
  before: ImportedBefore;
  /** `account NAME`, `cluster NAME`: what has a pending change. */
  pending: ReadonlySet<string>;
  /** Milliseconds since 1970. */
  now: number;
  helperPath: string;
  /** LANYARD_HOME, where the home isn't the platform's own. */
  home: string | null;
  platform: string;
}

type KnownAccount = Extract<PlannedUser['becomes'], { account: string }>;
type NewCluster = Extract<PlannedCluster['becomes'], { cluster: string }>;

/** Works out an import. Throws BrokerError `kubeconfig.edit` where a file can't be edited in place. */
export async function prepareImport(
  source: ImportSource,
  selection: ImportSelection,
  deps: PrepareDeps,
): Promise<PreparedImport> {
  const { config, content, before, pending, now } = deps;
  const { merged, searchPath, programs } = source;
  const { contexts, inPlace, names, offlineAccess } = selection;
  await programs.inspect(pluginCommandsOf(merged, config, searchPath, contexts));
  const { secrets, sessions } = content;
  const known = { config, secrets, sessions, before, pending, now, programOf: programs.of };
  // Each of these steps may take most of a second for thousands of entries: requests for credentials come between.
  await nextTurn();
  const plan = planImport({ ...source, ...known, contexts, inPlace, names, offlineAccess });
  await nextTurn();
  // Users of the same credentials share one; what replaces an account comes before who shares it.
  const accounts = oncePerName(
    plan.users.map(({ becomes }) => becomes).filter(isNewAccount),
    ({ account }) => account,
  );
  const clusters = oncePerName(
    plan.clusters.map(({ becomes }) => becomes).filter(isCluster),
    ({ cluster }) => cluster,
  );
  return {
    plan,
    seen: config,
    edits: [
      ...accounts.map(
        ({ account, value }): SetEdit => ({ kind: 'set', what: 'account', name: account, value }),
      ),
      ...clusters
        .filter(({ exists }) => !exists)
        .map(({ cluster, value }): SetEdit => ({ kind: 'set', what: 'cluster', name: cluster, value })),
    ],
    authorities: seenAuthorities(plan, source),
    secrets: Object.fromEntries(
      accounts
        .filter(({ secrets, replaces }) => replaces || Object.keys(secrets).length > 0)
        .map(({ account, secrets }) => [account, secrets]),
    ),
    programs: Object.fromEntries(
      accounts.flatMap(({ account, program }) => (program === null ? [] : [[account, boundOf(program)]])),
    ),
    first: firstContexts(plan, merged),
    files: selection.inPlace ? editFiles(plan, merged, selection, deps) : [],
  };
}

function boundOf({ path, sha256 }: PlannedProgram): SeenPrograms[string] {
  return path === null ? null : { path, sha256 };
}

function oncePerName<Each>(all: readonly Each[], nameOf: (each: Each) => string): Each[] {
  const first = new Map<string, Each>();
  for (const each of all) {
    first.set(nameOf(each), first.get(nameOf(each)) ?? each);
  }
  return [...first.values()];
}

function firstContexts({ clusters }: ImportPlan, { currentContext }: MergedKubeconfig): FirstContexts {
  const imported = clusters.flatMap(({ context, becomes }) =>
    isCluster(becomes) ? [{ context, ...becomes }] : [],
  );
  return {
    namespaces: new Map(
      imported.flatMap(({ cluster, namespace, sharedWith }) =>
        namespace === null || sharedWith !== null ? [] : [[cluster, namespace]],
      ),
    ),
    current: imported.find(({ context }) => context === currentContext?.name)?.cluster ?? null,
  };
}

function editFiles(
  plan: ImportPlan,
  merged: MergedKubeconfig,
  { apiVersion }: ImportSelection,
  { helperPath, home, platform }: PrepareDeps,
): FileEdit[] {
  const loaded = new Map(
    plan.clusters.flatMap((planned) => {
      const cluster = loadedCluster(planned, merged);
      return cluster ? [[cluster.name, cluster] as const] : [];
    }),
  );
  const changes = changesInPlace(plan, merged, (account, cluster) => {
    const known = loaded.get(cluster);
    const fits = known !== undefined && execInfoFits(known, apiVersion, platform);
    return helperExec({ helperPath, home, apiVersion, account, cluster, fits });
  });
  const secrets = plan.users.flatMap(({ becomes }) => ('account' in becomes ? [becomes] : []));
  return [...changes].map(([path, list]) => editFile(path, list, merged, secrets));
}

/** A YAML anchor: its aliases may be anywhere in the file. */
const anchor = /(^|[\s[{,:-])&[^\s,[\]{}]/m;

function editFile(
  path: string,
  changes: readonly KubeconfigChange[],
  merged: MergedKubeconfig,
  accounts: readonly KnownAccount[],
): FileEdit {
  const file = merged.files.find((each) => each.path === path);
  if (!file || file.text === null) {
    throw new BrokerError('kubeconfig.edit', `${path} is not there any more`);
  }
  const edited = editKubeconfigText(file.text, changes);
  if (!edited.ok) {
    throw new BrokerError('kubeconfig.edit', `${path} can’t be edited in place: ${edited.fault}`, {
      reason: 'usage',
      hint: 'import it without --in-place, or edit it by hand',
    });
  }
  const { text } = edited;
  const stillHolds =
    text.includes('&') && anchor.test(text)
      ? accounts.filter(({ secrets }) => holds(text, secrets)).map(({ account }) => account)
      : [];
  return {
    path,
    mode: file.mode ?? 0o600,
    before: file.text,
    text,
    changes: changes.length,
    stillHolds,
    get hunks() {
      return edited.hunks;
    },
  };
}

/** As it will be loaded from config.yaml; null where it stays out of it. */
function loadedCluster({ cluster, becomes }: PlannedCluster, merged: MergedKubeconfig): LoadedCluster | null {
  if (!('cluster' in becomes)) {
    return null;
  }
  const authority = merged.clusters.get(cluster)?.certificateAuthority;
  return {
    name: becomes.cluster,
    config: clusterSchema.parse(becomes.value),
    certificateAuthorityPem: authority?.ok ? authority.pem : null,
  };
}

/** As written, or in the base64 of a kubeconfig's data. */
function holds(text: string, secrets: KnownAccount['secrets']): boolean {
  return Object.entries(secrets).some(([part, secret]) => {
    const value = secret.reveal();
    return (
      part !== 'certificate' && (text.includes(value) || text.includes(Buffer.from(value).toString('base64')))
    );
  });
}

function isNewAccount(becomes: PlannedUser['becomes']): becomes is KnownAccount {
  return 'account' in becomes && !becomes.exists;
}

function isCluster(becomes: PlannedCluster['becomes']): becomes is NewCluster {
  return 'cluster' in becomes;
}
