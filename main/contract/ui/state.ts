import { z } from 'zod';

/** Milliseconds since 1970. */
const at = z.number();

/** What of Lanyard itself is shown everywhere. */
export const brokerView = z.object({
  version: z.string(),
  home: z.string(),
  startedAt: at,
  platform: z.string(),
  /** Providers' pages can be opened in a browser on the broker's machine. */
  canOpenBrowser: z.boolean(),
  /** Where windows of the broker's own come up: in that browser, or as dialogs of the desktop app. */
  windows: z.enum(['none', 'browser', 'dialogs']),
});

export const lockView = z.object({
  /** `gate`: closed by a person, opened by a click. `none`: no vault yet. `broken`: unreadable. */
  kind: z.enum(['open', 'gate', 'passphrase', 'keychain', 'none', 'broken']),
  /** Why it isn't open, in words; null: it is. */
  reason: z.string().nullable(),
  hint: z.string().nullable(),
  slots: z.array(z.enum(['keychain', 'passphrase', 'recoveryKey'])),
  /** When it locks by itself; null: it doesn't. */
  idle: z.object({ afterSeconds: z.number(), locksAt: at }).nullable(),
});

/** Where config.yaml, the history or the metrics are not as they should be. */
export const problemsView = z.object({
  config: z.array(
    z.object({
      severity: z.enum(['error', 'warning']),
      file: z.string(),
      line: z.number().nullable(),
      message: z.string(),
    }),
  ),
  history: z.array(z.string()),
  metrics: z.string().nullable(),
});

export const accountKind = z.enum(['oidc', 'staticToken', 'clientCertificate', 'execPlugin']);

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

/** A login that is under way, as anybody who looks may see it. The code itself goes to those who asked for it. */
const loginView = z.object({ startedAt: at, flow: z.enum(['browser', 'device']).nullable() });

/** Programs without a terminal wait until somebody logs in. */
const wantedView = z.object({
  since: at,
  /** Nobody is waited for any longer than this. */
  endsAt: at,
  /** Who waits, a few of them, each with the programs above it, nearest first: kubectl, zsh, code. */
  callers: z.array(z.array(z.string())),
  waiting: z.number(),
});

export const accountView = z.object({
  name: z.string(),
  kind: accountKind,
  state: accountState,
  /** As whom. */
  subject: z.string().nullable(),
  issuer: z.string().nullable(),
  /** End of what is held; null: no end, or nothing held. */
  expiresAt: at.nullable(),
  /** Of a wrapped plugin: it named the end (`promised`), it was read from the credential, or nothing is held. */
  endIs: z.enum(['promised', 'read', 'nothing']).nullable(),
  /** One sentence where something is wrong, and what can be done about it. */
  problem: z.string().nullable(),
  clockOffSeconds: z.number().nullable(),
  clusters: z.array(z.string()),
  login: loginView.nullable(),
  /** Null: nobody waits for a login that hasn’t begun. */
  wanted: wantedView.nullable(),
  /** What is held isn’t renewed by itself: at its end a person is needed. */
  byHand: z.boolean(),
  /** Renewals and runs that failed in a row, the last one among them; 0: the last one went well. */
  failures: z.number(),
});

export const clusterView = z.object({
  name: z.string(),
  server: z.string(),
  account: z.string(),
  kind: accountKind.nullable(),
  /**
   * The account's, or of the cluster alone: `rejecting` (rule: inferred-401). `unknownAccount`: config.yaml has none of
   * that name.
   */
  state: z.enum([...accountState.options, 'rejecting', 'unknownAccount']),
  problem: z.string().nullable(),
  /** Of what is held for it now; null: nothing held, or the credential says none. */
  credential: z
    .object({
      kind: z.enum(['token', 'certificate', 'both', 'password']),
      issuedAt: at.nullable(),
      /** Null: no end. */
      expiresAt: at.nullable(),
      /** When it will be renewed by itself; null: nobody has asked lately, or it can't be. */
      renewsAt: at.nullable(),
      /** What kept it from being renewed the last time; null: nothing did. */
      trouble: z.string().nullable(),
      generation: z.number(),
    })
    .nullable(),
  /** What is held isn’t renewed automatically: when it expires, a person is needed. */
  byHand: z.boolean(),
  audience: z.string().nullable(),
  approval: z.string(),
  /** Who got its credential last, or was refused. */
  lastCall: z
    .object({
      at,
      program: z.string().nullable(),
      parent: z.string().nullable(),
      outcome: z.enum(['handedOut', 'refused']),
      reason: z.string(),
      microseconds: z.number(),
    })
    .nullable(),
  /** Changes whenever its lane does: the id of the last event that is drawn there. */
  laneVersion: z.number(),
});

/**
 * A change that is pending approval (rule: confirmed-binding): with `lanyard confirm`, or in a window of the broker's
 * own.
 */
export const pendingChangeView = z.object({
  what: z.enum(['account', 'cluster', 'setting', 'program']),
  name: z.string(),
  change: z.string(),
  /** The form that was approved goes on serving; else nothing is issued until it is approved. */
  served: z.boolean(),
});

/** Users that other programs wrote into one of the person's kubeconfigs: their names. */
export const importOfferView = z.object({ file: z.string(), importable: z.array(z.string()) });

/**
 * A yes that a page may give, never for more than the cluster's confirmed policy remembers
 * (rule: approval-outside-page). `policy`: for as much as that; a time: for the policy's callers, and no longer than it
 * says. `terminal`: of a policy that covers more.
 */
export const pageYes = z.enum(['once', 'terminal', '15m', '1h', '8h', 'policy']);
export type PageYes = z.infer<typeof pageYes>;

/** A question that a caller waits with. The first answer counts, be it on its terminal or in a page. */
export const questionView = z.object({
  id: z.string(),
  kind: z.enum(['approval', 'unknownServer']),
  askedAt: at,
  /** Nobody is waited for any longer than this. */
  endsAt: at,
  /** Null: an unknown server has no name in config.yaml. */
  cluster: z.string().nullable(),
  account: z.string(),
  server: z.string(),
  caller: z.object({
    /** Nearest first: kubectl, zsh, tmux. */
    lineage: z.array(z.string()),
    executable: z.string().nullable(),
    pid: z.number(),
    origin: z.enum(['local', 'ssh', 'container']),
    /** False: it ended or changed while it was looked at. */
    sure: z.boolean(),
  }),
  /** The credential would be printed in the clear (`lanyard exec-credential`). */
  printed: z.boolean(),
  /** Nobody checks who answers at an unknown server. */
  unchecked: z.boolean(),
  /** What the terminal shows of it, label and value. */
  rows: z.array(z.tuple([z.string(), z.string()])),
  /** The cluster's `approval`; null: an unknown server has none. */
  policy: z.string().nullable(),
  /** Answers that may be given besides No, the narrowest first; in the page, unless `inWindow`. */
  answers: z.array(pageYes),
  /**
   * Yes is said in a window of the broker's own: it writes config.yaml (rule: approval-outside-page), or a desktop app
   * is there to ask.
   */
  inWindow: z.boolean(),
  /** It is being asked on a terminal, too. */
  onTerminal: z.boolean(),
  /** How many requests wait for this answer. */
  waiting: z.number(),
  /** Null: it is open. Else how it ended; kept for a few seconds, so that every page can say so. */
  ended: z
    .object({
      how: z.enum(['yes', 'no', 'timedOut', 'gone', 'locked']),
      where: z.enum(['terminal', 'page', 'window']).nullable(),
    })
    .nullable(),
});

/** The strip below: the truth of the last hour. */
export const stripView = z.object({
  callsThisHour: z.number(),
  failedThisHour: z.number(),
  /** Of answers that asked nobody, in microseconds; null: no call. */
  medianMicroseconds: z.number().nullable(),
  /** Share of all calls in 24 hours that failed by Lanyard's own or a provider's fault, 0 to 1; null: no call. */
  failedShare24h: z.number().nullable(),
});

/** Whether the window of the broker's own is open, and for what. */
export const windowView = z.object({
  title: z.string(),
  openedAt: at,
  /** It closes by itself then. */
  endsAt: at,
});

/** What counts without a person's confirmation: config.yaml `appearance`, `notifications` and `updates`. */
export const appearanceView = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  notifications: z.object({
    questions: z.boolean(),
    logins: z.boolean(),
    ending: z.boolean(),
    problems: z.boolean(),
    changes: z.boolean(),
  }),
  /** Newer versions of the desktop app are looked for once a day. */
  updates: z.object({ check: z.boolean() }),
});

/** The desktop app around the broker; a headless broker has none. */
export const desktopView = z.object({
  /** The system starts it, hidden, when the person logs in there; null: this system can't be told to. */
  startsAtLogin: z.boolean().nullable(),
  /** There is a tray: without one the app has a window all the while. */
  hasTray: z.boolean(),
  /** It tells of news itself: pages are silent. */
  notifies: z.boolean(),
  /** Nothing is told until then; null: it is. */
  notificationsPausedUntil: at.nullable(),
  update: z.discriminatedUnion('kind', [
    /** This build has no feed. */
    z.object({ kind: z.literal('off') }),
    z.object({ kind: z.literal('idle'), checkedAt: at.nullable() }),
    z.object({ kind: z.literal('checking') }),
    z.object({ kind: z.literal('available'), version: z.string(), notes: z.string().nullable() }),
    /** `share`: 0 to 1. */
    z.object({ kind: z.literal('fetching'), version: z.string(), share: z.number() }),
    /** It waits for the person's word. */
    z.object({ kind: z.literal('ready'), version: z.string() }),
    z.object({ kind: z.literal('failed'), message: z.string() }),
  ]),
});

/**
 * The contexts of the kubeconfigs that count where nobody says otherwise: of the broker's own KUBECONFIG, else
 * `~/.kube/config`, else the managed one. A terminal with another KUBECONFIG has its own.
 */
export const contextsView = z.object({
  /** Where the current one is written; null: no kubeconfig is there. */
  file: z.string().nullable(),
  current: z.string().nullable(),
  /** `cluster`: which of Lanyard's it goes to; null: none of them. The current one is always among them. */
  contexts: z.array(z.object({ name: z.string(), cluster: z.string().nullable() })),
  /** How many there are besides. */
  more: z.number(),
});

/** The command line tools: the helper on the person's PATH, under the names that shells and kubectl look for. */
export const toolsView = z.object({
  /** `damaged`: some are gone, or not as Lanyard made them. `packaged`: a package of the system's brought them. */
  kind: z.enum(['none', 'installed', 'damaged', 'packaged']),
  /** Where they are, or would be put. */
  folder: z.string(),
  /** On the broker's own PATH, or on every shell's of this system; a terminal's may have more. */
  isOnPath: z.boolean(),
  /** What puts the folder on the PATH, for a shell's start file; null: this system has none. */
  pathLine: z.string().nullable(),
  /** What is in their place, or missing, for people. */
  trouble: z.array(z.object({ path: z.string(), what: z.string() })),
});

/** The state, by section; entries have keys: a name, an id, or '' where there is one alone. */
export const stateSections = {
  broker: brokerView,
  lock: lockView,
  problems: problemsView,
  accounts: accountView,
  clusters: clusterView,
  held: pendingChangeView,
  imports: importOfferView,
  questions: questionView,
  strip: stripView,
  window: windowView,
  appearance: appearanceView,
  desktop: desktopView,
  contexts: contextsView,
  tools: toolsView,
} as const;
export type StateSection = keyof typeof stateSections;
export type StateValue<Section extends StateSection> = z.infer<(typeof stateSections)[Section]>;
/** By key. */
export type UiState = { readonly [Section in StateSection]: Readonly<Record<string, StateValue<Section>>> };

export type BrokerView = z.infer<typeof brokerView>;
export type LockView = z.infer<typeof lockView>;
export type ProblemsView = z.infer<typeof problemsView>;
export type AccountView = z.infer<typeof accountView>;
export type ClusterView = z.infer<typeof clusterView>;
export type PendingChangeView = z.infer<typeof pendingChangeView>;
export type ImportOfferView = z.infer<typeof importOfferView>;
export type QuestionView = z.infer<typeof questionView>;
export type WindowView = z.infer<typeof windowView>;
export type DesktopView = z.infer<typeof desktopView>;
export type ToolsView = z.infer<typeof toolsView>;
export type ContextsView = z.infer<typeof contextsView>;
export type StripView = z.infer<typeof stripView>;
