import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { certificateView } from '../credential.ts';
import { accountKind } from '../state.ts';
import { finding } from './finding.ts';

const name = z.string().min(1).max(128);

/** Milliseconds since 1970. */
const at = z.number();

/** The keys below one kind of account, as in config.yaml. */
const fields = z.record(z.string().max(64), z.json());

/**
 * An account as the user types it. `set` and `unset` change what config.yaml has, so that keys that a page doesn’t show
 * stay. `name` may be invalid: `account.check` reports that.
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
  /** The key; null: the whole account. */
  field: z.string().nullable(),
  /** The item of a list (from 0) or of a mapping (its key). */
  item: z.union([z.number(), z.string()]).nullable(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
});
export type DraftProblem = z.infer<typeof draftProblem>;

/** A command that the account’s search path lacks, in a folder where the broker found it. */
const programElsewhere = z.object({
  folder: z.string(),
  /** The account’s search path, with that folder first. */
  searchPath: z.string(),
});
export type ProgramElsewhere = z.infer<typeof programElsewhere>;

const pluginDetails = z.object({
  plugin: z.enum(['execPlugin', 'credentialProvider', 'awsProcess', 'requestSigner']),
  command: z.string(),
  /** Null: they seem to contain a secret, which no page gets. */
  args: z.array(z.string()).nullable(),
  interactiveMode: z.enum(['Never', 'IfAvailable', 'Always']),
  /** The caller’s variables that its output depends on. */
  variables: z.array(z.string()),
  /** Seconds. */
  limits: z.object({ alone: z.number(), atTerminal: z.number() }),
  share: z.boolean(),
  pin: z.boolean(),
  provideClusterInfo: z.boolean(),
  /** A client with a lock file gets a run and a proxy of its own (KEP-2718). */
  passProxyConfig: z.boolean(),
  /** How long a provider plugin’s answer without its own duration is cached; null: it is none. */
  defaultCacheDuration: z.string().nullable(),
  program: z.object({
    /** The path as found, and the target of its links. Null: not found, or unknown while locked. */
    path: z.string().nullable(),
    target: z.string().nullable(),
    owner: z.string().nullable(),
    sha256: z.string().nullable(),
    /** `firstRun`: bound to the program that runs first. `unknown`: while locked. */
    confirmed: z.enum(['yes', 'no', 'firstRun', 'unknown']),
    /** Why it can’t be run; null: it can. */
    problem: z.string().nullable(),
  }),
  /** Newest first. */
  runs: z.array(
    z.object({
      at,
      /** The cluster or registry that it was for. */
      target: z.string().nullable(),
      where: z.enum(['broker', 'caller']),
      outcome: z.enum(['good', 'failed']),
      callStatus: z.string(),
      exitCode: z.number(),
      code: z.string().nullable(),
      milliseconds: z.number(),
    }),
  ),
  /** The last failed run since the broker’s start: what went wrong, and the lines that the plugin wrote. */
  lastError: z.object({ at, problem: z.string(), lines: z.array(z.string()) }).nullable(),
});
export type PluginView = z.infer<typeof pluginDetails>;

export const accountDetails = z.object({
  name: z.string(),
  kind: accountKind,
  /** As in config.yaml, without defaults. */
  fields,
  /** Keys of config.yaml that no page gets: secrets, or large data. They stay when others change. */
  hidden: z.array(z.string()),
  /** Path of config.yaml. */
  file: z.string(),
  /**
   * What of it is pending approval (rule: confirmed-binding), one line for each difference: `+ issuer: …`. `served`:
   * the form that was approved before is still used.
   */
  held: z
    .object({ change: z.enum(['new', 'changed']), served: z.boolean(), lines: z.array(z.string()) })
    .nullable(),
  /** The secrets that it may have in the vault; `isSet` null: locked. */
  secrets: z.array(
    z.object({ name: z.string(), command: z.string(), isSet: z.boolean().nullable(), isNeeded: z.boolean() }),
  ),
  oidc: z
    .object({
      issuer: z.string(),
      clientId: z.string(),
      scopes: z.array(z.string()),
      flow: z.enum(['auto', 'browser', 'device', 'clientCredentials', 'serviceAccountToken']),
      token: z.enum(['id', 'access']),
      /** The redirect URI to register at the provider for logins in a browser; null: such logins are not possible. */
      redirectAddress: z.string().nullable(),
      session: z
        .object({
          issuer: z.string(),
          subject: z.string(),
          loggedInAt: at,
          hasRefreshToken: z.boolean(),
          /** Counts renewals from 1. */
          generation: z.number(),
          state: z.enum(['good', 'interrupted', 'stale', 'ended', 'elsewhere']),
        })
        .nullable(),
    })
    .nullable(),
  plugin: pluginDetails.nullable(),
  /** A key on a token (PKCS#11). */
  token: z
    .object({
      /** The file that is loaded. */
      module: pluginDetails.shape.program,
      /** The certificate beside the key; null: the token isn’t open. */
      certificate: certificateView.nullable(),
    })
    .nullable(),
});
export type AccountDetails = z.infer<typeof accountDetails>;

export const accountCalls = defineCalls({
  'account.show': { input: z.object({ account: name }), output: accountDetails, background: true },
  /** Checks what is typed as the reader of config.yaml does: names that are taken, files, hosts. */
  'account.check': {
    input: accountDraft,
    output: z.object({
      problems: z.array(draftProblem),
      /** Null: its command is found, or is nowhere; or it has none. */
      elsewhere: programElsewhere.nullable(),
    }),
    background: true,
  },
  /**
   * Checks all that the account depends on, without saving it: gets the provider’s discovery document, reads files,
   * finds the command. Uses no secret, runs no program, asks no question. A new one needs no name for it.
   */
  'account.test': {
    input: accountDraft,
    progress: z.object({ doing: z.string() }),
    output: z.object({ findings: z.array(finding) }),
  },
  /** Writes it to config.yaml. `held`: it isn’t used until the user approves it (rule: confirmed-binding). */
  'account.save': { input: accountDraft, output: z.object({ held: z.boolean() }) },
  /** What removing it would delete, and what prevents that. */
  'account.removal': {
    input: z.object({ account: name }),
    output: z.object({
      /** The login that would end; null: there is none. */
      session: z.object({ subject: z.string() }).nullable(),
      secrets: z.array(z.string()),
      /** The entries of config.yaml that use it: remove these first. */
      users: z.array(
        z.object({
          what: z.enum(['cluster', 'registry', 'account', 'inventory']),
          names: z.array(z.string()),
        }),
      ),
    }),
    background: true,
  },
  'account.remove': { input: z.object({ account: name }), output: z.object({ canRestore: z.boolean() }) },
  /** Accounts that pages removed since the broker’s start, and that can be restored; newest first. */
  'account.restorable': {
    input: z.object({}),
    output: z.object({ accounts: z.array(z.string()) }),
    background: true,
  },
  /**
   * Puts a removed account back into config.yaml, pending approval (rule: confirmed-binding). Sessions and secrets are
   * not restored.
   */
  'account.restore': { input: z.object({ account: name }), output: z.object({ held: z.boolean() }) },
});
