import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { accountKind } from '../state.ts';

const name = z.string().min(1).max(128);

/** Milliseconds since 1970. */
const at = z.number();

/** Keys of one kind of account, as they stand in config.yaml. */
const fields = z.record(z.string().max(64), z.json());

/**
 * An account as a person types it: `set` and `unset` are put over what config.yaml has of it, so that what a page
 * doesn't show stays as it is. `name` may be what no name can be: `account.check` says so.
 */
export const accountDraft = z.object({
  name: z.string().max(256),
  isNew: z.boolean(),
  kind: accountKind,
  set: fields,
  unset: z.array(z.string().max(64)).max(64),
});
export type AccountDraft = z.infer<typeof accountDraft>;

/** What is wrong with a draft. */
const draftProblem = z.object({
  /** The key; null: it is about the whole. */
  field: z.string().nullable(),
  /** Which of a list's (from 0) or a mapping's (its key). */
  item: z.union([z.number(), z.string()]).nullable(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
});
export type DraftProblem = z.infer<typeof draftProblem>;

const finding = z.object({
  check: z.string(),
  level: z.enum(['problem', 'warning', 'note', 'ok']),
  message: z.string(),
  hint: z.string().nullable(),
});
export type TestFinding = z.infer<typeof finding>;

const pluginDetails = z.object({
  command: z.string(),
  /** Null: they seem to hold a secret, which no page gets. */
  args: z.array(z.string()).nullable(),
  interactiveMode: z.enum(['Never', 'IfAvailable', 'Always']),
  /** The caller's variables that its answer depends on. */
  variables: z.array(z.string()),
  /** Seconds. */
  limits: z.object({ alone: z.number(), atTerminal: z.number() }),
  share: z.boolean(),
  pin: z.boolean(),
  provideClusterInfo: z.boolean(),
  program: z.object({
    /** As it was found, and where links lead in the end; null: there is none, or (while locked) nobody can tell. */
    path: z.string().nullable(),
    target: z.string().nullable(),
    owner: z.string().nullable(),
    sha256: z.string().nullable(),
    /** `firstRun`: bound to what runs first. `unknown`: while locked. */
    confirmed: z.enum(['yes', 'no', 'firstRun', 'unknown']),
    /** Why it isn't run; null: it is. */
    problem: z.string().nullable(),
  }),
  /** The newest first. */
  runs: z.array(
    z.object({
      at,
      cluster: z.string().nullable(),
      where: z.enum(['broker', 'caller']),
      outcome: z.enum(['good', 'failed']),
      callStatus: z.string(),
      exitCode: z.number(),
      code: z.string().nullable(),
      milliseconds: z.number(),
    }),
  ),
  /** The last run that failed since the broker's start, in words, and what it said itself. */
  lastError: z.object({ at, problem: z.string(), lines: z.array(z.string()) }).nullable(),
});
export type PluginView = z.infer<typeof pluginDetails>;

export const accountDetails = z.object({
  name: z.string(),
  kind: accountKind,
  /** As config.yaml says it, nothing added. */
  fields,
  /** Keys that config.yaml has and no page gets: they hold a secret, or much data. They stay when others change. */
  hidden: z.array(z.string()),
  /** config.yaml. */
  file: z.string(),
  /**
   * What of it is pending approval (rule: confirmed-binding): `+ issuer: …`. `served`: the form that was approved goes
   * on serving.
   */
  held: z
    .object({ change: z.enum(['new', 'changed']), served: z.boolean(), lines: z.array(z.string()) })
    .nullable(),
  /** Secrets that it may have in the vault; `isSet` null: locked. */
  secrets: z.array(
    z.object({ name: z.string(), command: z.string(), isSet: z.boolean().nullable(), isNeeded: z.boolean() }),
  ),
  oidc: z
    .object({
      issuer: z.string(),
      clientId: z.string(),
      scopes: z.array(z.string()),
      flow: z.enum(['auto', 'browser', 'device', 'clientCredentials']),
      token: z.enum(['id', 'access']),
      /** What the provider must know for logins in a browser; null: none can come. */
      redirectAddress: z.string().nullable(),
      session: z
        .object({
          issuer: z.string(),
          subject: z.string(),
          loggedInAt: at,
          hasRefreshToken: z.boolean(),
          /** Counts renewals from 1. */
          generation: z.number(),
          standing: z.enum(['good', 'interrupted', 'stale', 'ended', 'elsewhere']),
        })
        .nullable(),
    })
    .nullable(),
  plugin: pluginDetails.nullable(),
});
export type AccountDetails = z.infer<typeof accountDetails>;

export const accountCalls = defineCalls({
  'account.show': { input: z.object({ account: name }), output: accountDetails, background: true },
  /** What is wrong with what is typed, as config.yaml's own reader sees it: names that are taken, files, hosts. */
  'account.check': {
    input: accountDraft,
    output: z.object({ problems: z.array(draftProblem) }),
    background: true,
  },
  /**
   * Looks at all that the account would stand on, without saving it: asks the provider for its discovery document, reads
   * files, finds the command. Uses no secret, runs nothing, asks nobody.
   */
  'account.test': {
    input: accountDraft,
    progress: z.object({ doing: z.string() }),
    output: z.object({ findings: z.array(finding) }),
  },
  /** Writes it into config.yaml. `held`: it isn't used until a person confirms it (rule: confirmed-binding). */
  'account.save': { input: accountDraft, output: z.object({ held: z.boolean() }) },
  /** What would go, and what keeps it from going. */
  'account.removal': {
    input: z.object({ account: name }),
    output: z.object({
      /** As whom somebody is logged in; null: nobody is. */
      session: z.object({ subject: z.string() }).nullable(),
      secrets: z.array(z.string()),
      /** They use it: it can't go before them. */
      clusters: z.array(z.string()),
    }),
    background: true,
  },
  'account.remove': { input: z.object({ account: name }), output: z.object({ canRestore: z.boolean() }) },
  /** Accounts that were removed in a page since the broker's start, and can be put back; the newest first. */
  'account.restorable': {
    input: z.object({}),
    output: z.object({ accounts: z.array(z.string()) }),
    background: true,
  },
  /**
   * Puts what was removed back into config.yaml, held (rule: confirmed-binding); sessions and secrets don't come back.
   */
  'account.restore': { input: z.object({ account: name }), output: z.object({ held: z.boolean() }) },
});
