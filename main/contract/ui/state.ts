import { z } from 'zod';
import type { ConfiguredKind } from '../config/config.ts';
import { markColors } from '../config/mark-colors.ts';
import { callClasses, callOutcomes, doorNames } from '../doors.ts';
import type { StateSection } from './state-sections.ts';

/** Milliseconds since 1970. */
const at = z.number();

/** What every page shows of Lanyard. */
export const brokerView = z.object({
  version: z.string(),
  home: z.string(),
  startedAt: at,
  platform: z.string(),
  /** Whether a provider’s page can be opened in a browser on the broker’s machine. */
  canOpenBrowser: z.boolean(),
  /** Where the broker’s own windows open: in that browser, or as dialogs of the desktop app. */
  windows: z.enum(['none', 'browser', 'dialogs']),
  /**
   * Another number after each change of config.yaml, of what is approved and of the vault’s lock. A change that is
   * approved at once may leave no other trace in the state.
   */
  configRevision: z.number(),
});

/** The vault’s lock. */
export const lockView = z.object({
  /** `gate`: closed by the user, opened by a click. `none`: no vault yet. `broken`: unreadable. */
  kind: z.enum(['open', 'gate', 'passphrase', 'keychain', 'none', 'broken']),
  /** Why it isn’t open; null: it is. */
  reason: z.string().nullable(),
  hint: z.string().nullable(),
  slots: z.array(z.enum(['keychain', 'passphrase', 'recoveryKey'])),
  /** When it locks automatically; null: never. */
  idle: z.object({ afterSeconds: z.number(), locksAt: at }).nullable(),
});

/** What is wrong with config.yaml, the history or the metrics. */
export const problemsView = z.object({
  config: z.array(
    z.object({
      severity: z.enum(['error', 'warning']),
      file: z.string(),
      line: z.number().nullable(),
      /** The keys that lead to it, such as `accounts`, `corp`, `oidc`. */
      path: z.array(z.string()),
      message: z.string(),
    }),
  ),
  history: z.array(z.string()),
  /** Edits of Lanyard’s in the user’s files that other programs have undone. */
  undone: z.array(z.object({ file: z.string(), text: z.string(), command: z.string() })),
  metrics: z.string().nullable(),
});

export const accountKind = z.enum([
  'oidc',
  'staticToken',
  'clientCertificate',
  'execPlugin',
  'registry',
  'credentialProvider',
  'credentialHelper',
  'secretReader',
  'kubeconfigSecretReader',
  'aws',
  'awsProcess',
  'awsEks',
  'requestSigner',
  'pkcs11',
]);

const accountState = z.enum([
  'ready',
  'failing',
  'loginNeeded',
  'secretMissing',
  'expired',
  'interrupted',
  'locked',
  'invalid',
  'held',
]);

/** A login that is under way, as every page may see it. Only the page that started it gets the code. */
const loginView = z.object({ startedAt: at, flow: z.enum(['browser', 'device', 'pin']).nullable() });

/** A cached credential: never the secret. */
const credentialView = z.object({
  kind: z.enum(['token', 'certificate', 'both', 'password', 'awsKeys']),
  issuedAt: at.nullable(),
  /** Null: it never expires. */
  expiresAt: at.nullable(),
  /** When it is renewed automatically; null: it can’t be, or there was no request lately. */
  renewsAt: at.nullable(),
  /** Why the last renewal failed; null: it didn’t. */
  trouble: z.string().nullable(),
  generation: z.number(),
});

/** Programs without a terminal that wait until the user logs in. */
const wantedView = z.object({
  since: at,
  /** No program waits longer than this. */
  endsAt: at,
  /** A few of the programs that wait, each with its ancestors, nearest first: kubectl, zsh, code. */
  callers: z.array(z.array(z.string())),
  waiting: z.number(),
});

/** One account of config.yaml. */
export const accountView = z.object({
  name: z.string(),
  kind: accountKind,
  state: accountState,
  /** The user’s name at the provider. */
  subject: z.string().nullable(),
  issuer: z.string().nullable(),
  /** When the current credential expires; null: never, or there is none. */
  expiresAt: at.nullable(),
  /** Of its cached credentials, one that could not be renewed, else the one that expires last; null: there is none. */
  credential: credentialView.nullable(),
  /**
   * For a wrapped plugin: the plugin named the expiry (`promised`), it was read from the credential, or there is none.
   */
  endIs: z.enum(['promised', 'read', 'nothing']).nullable(),
  /** What is wrong and what to do, in one sentence; null: nothing is wrong. */
  problem: z.string().nullable(),
  clockOffSeconds: z.number().nullable(),
  clusters: z.array(z.string()),
  registries: z.array(z.string()),
  login: loginView.nullable(),
  /** Null: no program waits for a login that hasn’t begun. */
  wanted: wantedView.nullable(),
  /** Not renewed automatically: when it expires, the user is needed. */
  byHand: z.boolean(),
  /** Renewals and runs that failed in a row, up to the last one; 0: the last one succeeded. */
  failures: z.number(),
  /** Its token (PKCS#11) waits for a touch, or a PIN at its pad. */
  waitsAtToken: z.boolean(),
  /** Its token was taken out while it was in use, and isn’t back. */
  tokenIsOut: z.boolean(),
});

/** How plain `kubectl --context` reaches a cluster; `problem`: why it doesn’t, and the command that mends it. */
const clusterContext = z.object({
  /** Null: there is none. */
  name: z.string().nullable(),
  file: z.string().nullable(),
  problem: z.string().nullable(),
  command: z.string().nullable(),
});
export type ClusterContext = z.infer<typeof clusterContext>;

const mark = z.object({ color: z.enum(markColors), text: z.string() });

/** One cluster, of config.yaml or of an inventory. */
export const clusterView = z.object({
  name: z.string(),
  /** What the user calls it; null: by its name. */
  displayName: z.string().nullable(),
  aliases: z.array(z.string()),
  labels: z.record(z.string(), z.string()),
  /** Its colour by the user’s rules, and what that says; null: no rule matches. */
  mark: mark.nullable(),
  /** The same by its name alone, for questions: all else needs no approval, so a page could choose its colour. */
  nameMark: mark.nullable(),
  server: z.string(),
  /** The profile in use that it is (ADR 0029), which config.yaml doesn’t have; null: config.yaml has the cluster. */
  origin: z.object({ inventory: z.string(), namespace: z.string(), name: z.string() }).nullable(),
  account: z.string(),
  kind: accountKind.nullable(),
  /**
   * The account’s state, or the cluster’s own: `rejecting` (rule: inferred-401), or `unknownAccount` where config.yaml
   * has no account of that name.
   */
  state: z.enum([...accountState.options, 'rejecting', 'unknownAccount']),
  /** Its own entry is among the pending changes. Where only its account’s is, `held` is the account’s state. */
  isPending: z.boolean(),
  problem: z.string().nullable(),
  /** Its cached credential; null: there is none. */
  credential: credentialView.nullable(),
  /** Not renewed automatically: when it expires, the user is needed. */
  byHand: z.boolean(),
  audience: z.string().nullable(),
  approval: z.string(),
  /** The server’s certificate isn’t verified (`insecureSkipTlsVerify`). */
  isInsecure: z.boolean(),
  /** Clients reach it through the request proxy (docs/adr/0030). */
  isProxied: z.boolean(),
  /** Null while it is pending approval, or Lanyard is locked. */
  context: clusterContext.nullable(),
  /** The last call for its credential, issued or not. */
  lastCall: z
    .object({
      at,
      program: z.string().nullable(),
      parent: z.string().nullable(),
      outcome: z.enum(callOutcomes),
      reason: z.string(),
      microseconds: z.number(),
    })
    .nullable(),
  /** The id of the last event on its timeline: changes whenever the timeline does. */
  laneVersion: z.number(),
});

/** One registry of config.yaml. Its health and time left are told as a cluster’s are. */
export const registryView = z.object({
  name: z.string(),
  matchImages: z.array(z.string()),
  /** Those of them that cover names which anyone can register at a cloud, such as `*.azurecr.io`. */
  coversStrangers: z.array(z.string()),
  account: z.string(),
  kind: accountKind.nullable(),
  state: z.enum([...accountState.options, 'unknownAccount']),
  isPending: clusterView.shape.isPending,
  problem: z.string().nullable(),
  credential: clusterView.shape.credential,
  byHand: z.boolean(),
  audience: z.string().nullable(),
  /** The user name beside a token; null: the account has its own. */
  userName: z.string().nullable(),
  approval: z.string(),
  /** How long a kubelet may keep the credential: `0s`, `15m`. */
  cacheDuration: z.string(),
  /** Only for `docker-credential-lanyard-NAME`; null: for all. */
  calledAs: z.string().nullable(),
  /** Hosts beside the registry’s own that its credential may go to for a token. */
  tokenServers: z.array(z.string()),
  /** The last request for its credential, issued or not. */
  lastCall: clusterView.shape.lastCall
    .unwrap()
    .extend({ door: z.enum(doorNames) })
    .nullable(),
});

/** One inventory of config.yaml. Its profiles are read by calls: there may be thousands. */
export const inventoryView = z.object({
  name: z.string(),
  /** The hub’s cluster in config.yaml; null: `files`. */
  hub: z.string().nullable(),
  files: z.array(z.string()),
  /** In the inventory’s order. */
  providers: z.array(z.object({ name: z.string(), account: z.string() })),
  /**
   * `live`: in step with its source. `stale`: the last known state. `held`: it, or its hub, is pending approval, so
   * nothing is read. `locked`: nothing is read until Lanyard is unlocked.
   */
  state: z.enum(['starting', 'live', 'stale', 'held', 'locked']),
  /** When it was last in step with all of its source; null: never. */
  lastSyncAt: at.nullable(),
  /** What is wrong: a stable word, and a sentence without a full stop; null: nothing is. */
  trouble: z.object({ code: z.string(), text: z.string() }).nullable(),
  /** Since when, with one fault or another; null: it is in step. */
  troubleSince: at.nullable(),
  /** When the source is asked again; null: that isn’t waited for. */
  retryAt: at.nullable(),
  /** How many profiles are in which state. */
  profiles: z.object({
    total: z.number(),
    inUse: z.number(),
    pending: z.number(),
    remade: z.number(),
    refused: z.number(),
    available: z.number(),
    unusable: z.number(),
  }),
  /** Of profiles in use, by account, and the account’s name. */
  accounts: z.array(z.object({ account: z.string(), inUse: z.number() })),
  /** Objects that are no profiles, and those that are left out. */
  problems: z.number(),
  /** The most contexts that it may have. */
  contexts: z.number(),
  /** The labels of profiles that become contexts automatically; null: the user chooses them. */
  select: z.string().nullable(),
  trusted: z.boolean(),
  /** Another number each time that profiles or what is in use have changed: lists are read again. */
  version: z.number(),
});

/**
 * Written out, for the page’s first view has no part of config.yaml’s schemas. A kind that is missing here doesn’t
 * compile.
 */
const entryKinds = {
  account: 'account',
  cluster: 'cluster',
  registry: 'registry',
  inventory: 'inventory',
} as const satisfies { [Kind in ConfiguredKind]: Kind };

/**
 * A change that is pending approval (rule: confirmed-binding). The user approves it with `lanyard confirm`, or in one
 * of the broker’s own windows.
 */
export const pendingChangeView = z.object({
  what: z.enum({ ...entryKinds, setting: 'setting', program: 'program', module: 'module' }),
  name: z.string(),
  change: z.string(),
  /** The form that was approved before is still used; else nothing is issued until it is approved. */
  served: z.boolean(),
  /** For a cluster that is a profile: its inventory, whose changes count as one. */
  inventory: z.string().optional(),
});

/** Users that other programs wrote to one of the user’s kubeconfigs, by name. */
export const importOfferView = z.object({ file: z.string(), importable: z.array(z.string()) });

/**
 * A yes that a page may give: never for more than the cluster’s approved policy remembers
 * (rule: approval-outside-page). `policy`: for as much as the policy says. A time: for the policy’s callers, and no
 * longer than it says. `terminal`: one terminal, where the policy covers more.
 */
export const pageYes = z.enum(['once', 'terminal', '15m', '1h', '8h', 'policy']);
export type PageYes = z.infer<typeof pageYes>;

/** A question that a caller waits for. The first answer counts, on its terminal or in a page. */
export const questionView = z.object({
  id: z.string(),
  kind: z.enum(['approval', 'unknownServer']),
  askedAt: at,
  /** No caller waits longer than this. */
  endsAt: at,
  /** Null: an unknown server has no name in config.yaml. */
  target: z.object({ kind: z.string(), name: z.string() }).nullable(),
  account: z.string(),
  server: z.string(),
  caller: z.object({
    /** Nearest first: kubectl, zsh, tmux. */
    lineage: z.array(z.string()),
    executable: z.string().nullable(),
    pid: z.number(),
    origin: z.enum(['local', 'ssh', 'container']),
    /** False: the process ended or changed while it was checked. */
    sure: z.boolean(),
  }),
  /** The credential would be printed in plain text (`lanyard exec-credential`). */
  printed: z.boolean(),
  /** The unknown server’s identity isn’t verified. */
  unchecked: z.boolean(),
  /** The rows that the terminal shows, label and value. */
  rows: z.array(z.tuple([z.string(), z.string()])),
  /** The cluster's `approval`; null: an unknown server has none. */
  policy: z.string().nullable(),
  /** The answers besides No, the narrowest first. They are given in the page unless `inWindow` is set. */
  answers: z.array(pageYes),
  /**
   * Yes is given in one of the broker’s own windows: it writes config.yaml (rule: approval-outside-page), or the
   * desktop app asks.
   */
  inWindow: z.boolean(),
  /** The question is on a terminal, too. */
  onTerminal: z.boolean(),
  /** How many requests wait for the answer. */
  waiting: z.number(),
  /** How it ended, kept for a few seconds so that every page can show it; null: it is open. */
  ended: z
    .object({
      how: z.enum(['yes', 'no', 'timedOut', 'gone', 'locked']),
      where: z.enum(['terminal', 'page', 'window']).nullable(),
    })
    .nullable(),
});

/** The strip at the bottom: calls of late, by what became of them. */
export const stripView = z.object({
  thisHour: z.record(z.enum(callClasses), z.number()),
  /** Of answers without a provider, plugin or user, in microseconds; null: no call. */
  medianMicroseconds: z.number().nullable(),
});

/** The broker’s own window that is open. */
export const windowView = z.object({
  title: z.string(),
  openedAt: at,
  /** When it closes automatically. */
  endsAt: at,
});

/** The settings that apply without approval: `appearance`, `notifications` and `updates` of config.yaml. */
export const appearanceView = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  /** Clusters at the top of the list. */
  favorites: z.array(z.string()),
  /** Warnings about config.yaml that the page doesn’t show any more. */
  dismissedWarnings: z.array(z.string()),
  notifications: z.object({
    questions: z.boolean(),
    logins: z.boolean(),
    ending: z.boolean(),
    problems: z.boolean(),
    changes: z.boolean(),
  }),
  /** Whether to check for newer versions of the desktop app once a day. */
  updates: z.object({ check: z.boolean() }),
});

/** The desktop app around the broker; a headless broker has none. */
export const desktopView = z.object({
  /** Whether the system starts it, hidden, when the user logs in; null: this system can’t. */
  startsAtLogin: z.boolean().nullable(),
  /** Whether there is a tray. Without one, the app always has a window. */
  hasTray: z.boolean(),
  /** Whether the app shows notifications: pages then show none. */
  notifies: z.boolean(),
  /** No notification is shown until then; null: there is no pause. */
  notificationsPausedUntil: at.nullable(),
  update: z.discriminatedUnion('kind', [
    /** This build has no feed. */
    z.object({ kind: z.literal('off') }),
    z.object({ kind: z.literal('idle'), checkedAt: at.nullable() }),
    z.object({ kind: z.literal('checking') }),
    z.object({ kind: z.literal('available'), version: z.string(), notes: z.string().nullable() }),
    /** `share`: 0 to 1. */
    z.object({ kind: z.literal('fetching'), version: z.string(), share: z.number() }),
    /** It waits for the user to install it. */
    z.object({ kind: z.literal('ready'), version: z.string() }),
    z.object({ kind: z.literal('failed'), message: z.string() }),
  ]),
});

/**
 * The contexts of the broker’s own kubeconfigs: those of its KUBECONFIG, else `~/.kube/config`, else the managed one. A
 * terminal may have another KUBECONFIG.
 */
export const contextsView = z.object({
  /** The file with the current context; null: there is no kubeconfig. */
  file: z.string().nullable(),
  current: z.string().nullable(),
  /** `cluster`: Lanyard’s cluster that it leads to; null: none. The current context is always in the list. */
  contexts: z.array(z.object({ name: z.string(), cluster: z.string().nullable() })),
  /** How many more contexts there are. */
  more: z.number(),
  /** How the user’s kubectl finds Lanyard’s clusters; `way` null: they were never asked. */
  kubectl: z.object({
    way: z.enum(['file', 'own', 'none']).nullable(),
    /** The file with Lanyard’s contexts: the user’s, or Lanyard’s own; null: none. */
    file: z.string().nullable(),
    /** Why it can’t have them now, in words that follow its name; null: it has them. */
    fault: z.string().nullable(),
    /** Of `own`: the last terminal that Lanyard saw has it in KUBECONFIG. */
    isSeen: z.boolean(),
  }),
});

/** The command line tools: the helper on the user’s PATH, under the names that shells and kubectl search for. */
export const toolsView = z.object({
  /** `damaged`: some are missing or were changed. `packaged`: a system package installed them. */
  kind: z.enum(['none', 'installed', 'damaged', 'packaged']),
  /** The folder they are in, or would be installed to. */
  folder: z.string(),
  /**
   * Whether the folder is on the broker’s PATH, or on every shell’s PATH on this system. A terminal’s PATH may have
   * more.
   */
  isOnPath: z.boolean(),
  /** The line for a shell’s start file that adds the folder to the PATH; null: this system has none. */
  pathLine: z.string().nullable(),
  /** What is missing, or in the place of a tool. */
  trouble: z.array(z.object({ path: z.string(), what: z.string() })),
});

/** The sections of the state. Their entries have keys: a name, an id, or '' where there is only one. */
export const stateSections = {
  broker: brokerView,
  lock: lockView,
  problems: problemsView,
  accounts: accountView,
  clusters: clusterView,
  registries: registryView,
  inventories: inventoryView,
  held: pendingChangeView,
  imports: importOfferView,
  questions: questionView,
  strip: stripView,
  window: windowView,
  appearance: appearanceView,
  desktop: desktopView,
  contexts: contextsView,
  tools: toolsView,
} as const satisfies Record<StateSection, z.ZodType>;
export type StateValue<Section extends StateSection> = z.infer<(typeof stateSections)[Section]>;
/** The state: for each section, its entries by key. */
export type UiState = { readonly [Section in StateSection]: Readonly<Record<string, StateValue<Section>>> };

export type BrokerView = z.infer<typeof brokerView>;
export type LockView = z.infer<typeof lockView>;
export type ProblemsView = z.infer<typeof problemsView>;
export type AccountView = z.infer<typeof accountView>;
export type ClusterView = z.infer<typeof clusterView>;
export type RegistryView = z.infer<typeof registryView>;
export type InventoryView = z.infer<typeof inventoryView>;
export type PendingChangeView = z.infer<typeof pendingChangeView>;
export type ImportOfferView = z.infer<typeof importOfferView>;
export type QuestionView = z.infer<typeof questionView>;
export type WindowView = z.infer<typeof windowView>;
export type DesktopView = z.infer<typeof desktopView>;
export type ToolsView = z.infer<typeof toolsView>;
export type ContextsView = z.infer<typeof contextsView>;
export type StripView = z.infer<typeof stripView>;
