import { z } from 'zod';
import { importedName } from '../../config/names.ts';
import { defineCalls } from '../call.ts';

const path = z.string().min(1).max(4096);
const planId = z.string().max(64);
const at = z.number();

/** A broken part of a kubeconfig. */
const problem = z.object({
  file: z.string(),
  line: z.number().nullable(),
  column: z.number().nullable(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
});

const file = z.object({
  path: z.string(),
  exists: z.boolean(),
  /** The file’s mode where other users may read it, like `0644`; null: they may not. */
  openToOthers: z.string().nullable(),
});

const plain = z.object({ what: z.string(), file: z.string(), line: z.number().nullable() });

/** `listed` may be fewer than `count`. */
const plainList = z.object({ count: z.number(), listed: z.array(plain) });

/** Why an entry stays as it is. */
const left = z.object({ left: z.string() });

const plannedUser = z.object({
  /** For display: without invisible characters. */
  user: z.string(),
  file: z.string(),
  line: z.number(),
  kind: z.string(),
  /** `OpenID at id.example.com (kubernetes)`. */
  description: z.string(),
  becomes: z.union([
    z.object({
      account: z.string(),
      exists: z.boolean(),
      replaces: z.boolean(),
      needsLogin: z.boolean(),
      /** As of contexts. */
      canBeNamed: z.boolean(),
    }),
    left,
  ]),
  /** The exact name in the kubeconfig: names are chosen by it. */
  of: z.string(),
  /** Contexts that are not imported, and need the entry in the file. */
  neededBy: z.array(z.string()),
  notes: z.array(z.string()),
});

const plannedContext = z.object({
  /** The exact name in the kubeconfig: the choice is made by it. */
  context: z.string(),
  /** The name for display. */
  name: z.string(),
  server: z.string(),
  user: z.string(),
  becomes: z.union([
    z.object({
      cluster: z.string(),
      account: z.string(),
      exists: z.boolean(),
      /** The server’s address before; null: it is new, or the same. */
      replaces: z.string().nullable(),
      /** It is new, and its name isn’t the context’s: `names` of `import.plan` takes another one. */
      canBeNamed: z.boolean(),
    }),
    left,
  ]),
  notes: z.array(z.string()),
});

const question = z.object({
  id: z.string(),
  kind: z.enum([
    'replaces',
    'unknownAuthority',
    'otherAuthority',
    'insecure',
    'sharedAudience',
    'mixedFiles',
  ]),
  /** The fact, and the question about it. */
  heading: z.string(),
  asked: z.string(),
  /** All facts, one for each line, never shortened. */
  lines: z.array(z.string()),
  contexts: z.array(z.string()),
  /** kubectl does the same with this kubeconfig alone. */
  isUsual: z.boolean(),
});

/** All that an import would do. Names where secrets are, never their values. */
export const importPlanView = z.object({
  id: planId,
  inPlace: z.boolean(),
  files: z.array(file),
  /** Contexts of all files that were read, to choose from. The plan has only the chosen ones. */
  allContexts: z.array(z.object({ context: z.string(), name: z.string() })),
  problems: z.array(problem),
  /** Entries that an earlier file of KUBECONFIG hides, one line each. */
  hidden: z.array(z.string()),
  users: z.array(plannedUser),
  contexts: z.array(plannedContext),
  programs: z.array(z.object({ account: z.string(), lines: z.array(z.string()) })),
  questions: z.array(question),
  /** Secrets in plain text on this disk, now and after the import. `given`: how many a pasted text has. */
  plain: z.object({ now: plainList, after: plainList, given: z.number() }),
  /** New accounts without offline_access, or those that get it because the page chose so (`added`); null: neither. */
  offlineAccess: z.object({ accounts: z.array(z.string()), added: z.boolean() }).nullable(),
  notes: z.array(z.string()),
  /** Files where an anchor still contains a secret afterwards. */
  stillHeld: z.array(z.object({ file: z.string(), accounts: z.array(z.string()) })),
  /** Files that would change, config.yaml first. */
  diffs: z.array(z.object({ file: z.string(), changes: z.number() })),
  /** `Import 2 accounts and 3 clusters?`; null: there is nothing to import. */
  sum: z.string().nullable(),
  /** Why the import would stop before it does anything, as things are now; null: nothing is known against it. */
  refused: z.string().nullable(),
  /** Path of the managed kubeconfig, which Lanyard writes where it edits no file. */
  managed: z.string(),
});
export type ImportPlanView = z.infer<typeof importPlanView>;

/** Lines of a difference, with secrets masked. `moreLines`: how many are left out. */
const diff = z.object({ lines: z.array(z.string()), moreLines: z.number() });

/** A file that was edited in place, compared with its backup. */
const undoable = z.object({
  file: z.string(),
  editedAt: at,
  /** `changed`: edited since. `gone`: missing. `unreadable`: `fault` tells why. */
  state: z.enum(['asWritten', 'asBefore', 'changed', 'gone', 'unreadable']),
  fault: z.string().nullable(),
});
export type UndoableView = z.infer<typeof undoable>;

/** The questions that were answered with yes, by id. */
const agreed = z.array(z.string().max(64)).max(1000);

/** The entries that an import wrote to config.yaml. */
const names = z.array(z.string().max(128)).max(20_000);
const written = { accounts: names, clusters: names };

export const importCalls = defineCalls({
  /** Reads the kubeconfigs of the broker’s environment, or `files`, without a plan. Works while locked. */
  'import.found': {
    input: z.object({ files: z.array(path).max(64) }),
    output: z.object({
      files: z.array(file),
      problems: z.array(problem),
      /** May be fewer than `userCount`. */
      users: z.array(z.object({ user: z.string(), description: z.string(), file: z.string() })),
      userCount: z.number(),
      contextCount: z.number(),
      /** Users that run Lanyard already. */
      ownCount: z.number(),
    }),
    background: true,
  },
  /**
   * Makes a plan, which is kept for a while for `import.apply`. `files` empty: the kubeconfigs of the broker’s
   * environment. `pasted`: instead of files, what `import.paste` gave; no file is edited then. `contexts` null: all.
   * `names`: what the user calls new entries, by the exact names of users and contexts. One that is taken, or that
   * another context or user has, gets a number.
   */
  'import.plan': {
    input: z.object({
      files: z.array(path).max(64),
      pasted: z.string().max(64).nullable().default(null),
      contexts: z.array(z.string().max(1024)).max(20_000).nullable(),
      inPlace: z.boolean(),
      names: z
        .array(
          z.object({ what: z.enum(['account', 'cluster']), of: z.string().max(1024), name: importedName }),
        )
        .max(20_000)
        .default([]),
      /** Adds the scope offline_access to accounts that would request no refresh token. */
      offlineAccess: z.boolean().default(false),
    }),
    progress: z.object({ doing: z.string() }),
    output: importPlanView,
  },
  /**
   * Opens the broker’s own window, in which the user pastes a kubeconfig, and waits until it is closed. The page gets
   * an id for `import.plan`, never the text; null: nothing was pasted.
   */
  'import.paste': { input: z.object({}), output: z.object({ pasted: z.string().nullable() }) },
  /** The changes of one file of the plan. */
  'import.diff': { input: z.object({ id: planId, file: path }), output: diff },
  /**
   * Carries out a plan. A question without a yes leaves its contexts out. New entries are pending approval until the user approves them on a terminal or in the broker’s window
   * (rule: approval-outside-page). The call waits for that, and only then edits the user’s kubeconfigs. Cancelled, it
   * leaves new entries pending and the kubeconfigs unchanged.
   */
  'import.apply': {
    input: z.object({ id: planId, agreed }),
    progress: z.discriminatedUnion('step', [
      z.object({ step: z.literal('doing'), what: z.string() }),
      /** Written, and pending approval: open the window. */
      z.object({ step: z.literal('held'), count: z.number(), ...written }),
    ]),
    output: z.object({
      accounts: z.array(z.object({ name: z.string(), needsLogin: z.boolean() })),
      clusters: z.array(z.string()),
      inPlace: z.boolean(),
      edited: z.array(z.string()),
      /** Files that are unchanged, and why. */
      kept: z.array(z.object({ file: z.string(), why: z.string() })),
      warnings: z.array(z.string()),
      /** A shell command that points kubectl to the kubeconfig; null: kubectl finds it anyway. */
      environmentLine: z.string().nullable(),
      /** A shell command to try first; null: there is nothing to try it with. */
      tryLine: z.string().nullable(),
    }),
  },
  /**
   * Removes what an import wrote from config.yaml and the vault, as far as it is new and still pending: entries that
   * were approved since stay.
   */
  'import.takeBack': { input: z.object(written), output: z.object({ removed: z.number() }) },
  /**
   * Compares a file with what Lanyard has. `new`: some of it is missing. `held`: all of it is there, some pending
   * approval. `inForce`: all of it is active; only the file itself was never edited.
   */
  'import.stands': {
    input: z.object({ file: path }),
    output: z.object({ stands: z.enum(['new', 'held', 'inForce']) }),
    background: true,
  },
  'import.dismiss': { input: z.object({ file: path }), output: z.object({ kept: z.boolean() }) },
  /** The files whose edits can be undone. */
  'import.undoList': {
    input: z.object({}),
    output: z.object({ files: z.array(undoable) }),
    background: true,
  },
  /** What undoing would change, and which later entries would be lost; null: entries can’t tell that. */
  'import.undoDiff': {
    input: z.object({ file: path }),
    output: diff.extend({ state: undoable.shape.state, lost: z.array(z.string()).nullable() }),
  },
  /**
   * Restores a file as before its last edit. Refused where it has changed since: use a terminal, which asks. `message`
   * null: a dialog of the desktop app asks the user first.
   */
  'import.undo': {
    input: z.object({ file: path }),
    output: z.object({ message: z.string().nullable() }),
  },
});
