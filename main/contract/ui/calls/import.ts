import { z } from 'zod';
import { defineCalls } from '../call.ts';

const path = z.string().min(1).max(4096);
const planId = z.string().max(64);
const at = z.number();

/** A broken place in a kubeconfig. */
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
  /** Its mode where others may read it, as `ls` says it: `0644`; null: they may not. */
  openToOthers: z.string().nullable(),
});

const plain = z.object({ what: z.string(), file: z.string(), line: z.number().nullable() });

/** Not all are listed where there are very many. */
const plainList = z.object({ count: z.number(), listed: z.array(plain) });

/** What becomes of an entry that stays as it is. */
const left = z.object({ left: z.string() });

const plannedUser = z.object({
  /** For display: nothing unseen in it. */
  user: z.string(),
  file: z.string(),
  line: z.number(),
  kind: z.string(),
  /** `OpenID at id.example.com (kubernetes)`. */
  description: z.string(),
  becomes: z.union([
    z.object({ account: z.string(), exists: z.boolean(), replaces: z.boolean(), needsLogin: z.boolean() }),
    left,
  ]),
  /** Names of contexts that are not imported and need its entry in the file. */
  neededBy: z.array(z.string()),
  notes: z.array(z.string()),
});

const plannedContext = z.object({
  /** As the kubeconfig has it: what is chosen by. */
  context: z.string(),
  /** The same for display. */
  name: z.string(),
  server: z.string(),
  user: z.string(),
  becomes: z.union([
    z.object({
      cluster: z.string(),
      account: z.string(),
      exists: z.boolean(),
      /** The server that it was at before; null: it is new, or the same. */
      replaces: z.string().nullable(),
    }),
    left,
  ]),
  notes: z.array(z.string()),
});

const question = z.object({
  id: z.string(),
  kind: z.enum(['replaces', 'unknownAuthority', 'insecure', 'sharedAudience']),
  /** What is the case; and what is asked. */
  heading: z.string(),
  asked: z.string(),
  /** One fact a line, all of them and whole. */
  lines: z.array(z.string()),
  contexts: z.array(z.string()),
  /** Only the whole word yes is one. */
  wholeWord: z.boolean(),
});

/** All that an import would do. Says where secrets are, never what they are. */
export const importPlanView = z.object({
  id: planId,
  inPlace: z.boolean(),
  files: z.array(file),
  /** Contexts of all that was read, for choosing; the plan is of those that were chosen. */
  allContexts: z.array(z.object({ context: z.string(), name: z.string() })),
  problems: z.array(problem),
  users: z.array(plannedUser),
  contexts: z.array(plannedContext),
  programs: z.array(z.object({ account: z.string(), lines: z.array(z.string()) })),
  questions: z.array(question),
  /** Secrets in plain text on this disk, now and after. */
  plain: z.object({ now: plainList, after: plainList }),
  /** New accounts that ask for no refresh token, or do because it was wanted (`added`); null: none are either. */
  offlineAccess: z.object({ accounts: z.array(z.string()), added: z.boolean() }).nullable(),
  notes: z.array(z.string()),
  /** Files whose anchors go on holding a secret. */
  stillHeld: z.array(z.object({ file: z.string(), accounts: z.array(z.string()) })),
  /** Files that would change, config.yaml first. */
  diffs: z.array(z.object({ file: z.string(), changes: z.number() })),
  /** `Import 2 accounts and 3 clusters?`; null: there is nothing to do. */
  sum: z.string().nullable(),
  /** The kubeconfig that Lanyard writes where none is edited. */
  managed: z.string(),
});
export type ImportPlanView = z.infer<typeof importPlanView>;

/** Lines of a difference; secrets are masked. `moreLines`: how many are not shown. */
const diff = z.object({ lines: z.array(z.string()), moreLines: z.number() });

/** A file that an import in place has edited, beside what was kept of it. */
const undoable = z.object({
  file: z.string(),
  editedAt: at,
  /** `changed`: somebody wrote into it since; `gone`: it is not there; `unreadable`: `fault` says why. */
  state: z.enum(['asWritten', 'asBefore', 'changed', 'gone', 'unreadable']),
  fault: z.string().nullable(),
});
export type UndoableView = z.infer<typeof undoable>;

/** Questions that got a yes, by their ids, each with the word that was written. */
const answers = z.array(z.object({ question: z.string().max(64), word: z.string().max(16) })).max(1000);
export type ImportQuestionAnswers = z.infer<typeof answers>;

/** Names of what an import wrote into config.yaml. */
const names = z.array(z.string().max(128)).max(20_000);
const written = { accounts: names, clusters: names };

export const importCalls = defineCalls({
  /** What is in the kubeconfigs of the broker's own environment (or in these): read, not planned. Works while locked. */
  'import.found': {
    input: z.object({ files: z.array(path).max(64) }),
    output: z.object({
      files: z.array(file),
      problems: z.array(problem),
      /** Not all, where there are very many. */
      users: z.array(z.object({ user: z.string(), description: z.string(), file: z.string() })),
      userCount: z.number(),
      contextCount: z.number(),
      /** Run Lanyard already. */
      ownCount: z.number(),
    }),
    background: true,
  },
  /**
   * Works out an import. The plan is kept for a while, and `import.apply` does that one. `files` empty: those of the
   * broker's own environment. `contexts` null: all.
   */
  'import.plan': {
    input: z.object({
      files: z.array(path).max(64),
      contexts: z.array(z.string().max(1024)).max(20_000).nullable(),
      inPlace: z.boolean(),
      /** Add the scope offline_access to accounts that would ask for no refresh token. */
      offlineAccess: z.boolean().default(false),
    }),
    progress: z.object({ doing: z.string() }),
    output: importPlanView,
  },
  /** What would change in one of the plan's files. */
  'import.diff': { input: z.object({ id: planId, file: path }), output: diff },
  /**
   * Does a plan, all of whose questions got a yes; a No is a plan of other contexts. What is new is held until a person
   * confirms it on a terminal or in the broker's own window (rule: approval-outside-page): the call waits for that, and
   * only then edits the person's files. To cancel it is to leave what is new held, and the files as they are.
   */
  'import.apply': {
    input: z.object({ id: planId, agreed: answers }),
    progress: z.discriminatedUnion('step', [
      z.object({ step: z.literal('doing'), what: z.string() }),
      /** Written, and held: open the window. */
      z.object({ step: z.literal('held'), count: z.number(), ...written }),
    ]),
    output: z.object({
      accounts: z.array(z.object({ name: z.string(), needsLogin: z.boolean() })),
      clusters: z.array(z.string()),
      inPlace: z.boolean(),
      edited: z.array(z.string()),
      /** Files that are as they were, and why. */
      kept: z.array(z.object({ file: z.string(), why: z.string() })),
      warnings: z.array(z.string()),
      /** For a shell: finds the kubeconfig; null: kubectl finds it by itself. */
      environmentLine: z.string().nullable(),
      /** For a shell: the first thing to try; null: nothing was imported that it could be tried with. */
      tryLine: z.string().nullable(),
    }),
  },
  /**
   * Takes what an import wrote out of config.yaml and the vault again, as far as it is new and still held: what somebody
   * has confirmed meanwhile stays.
   */
  'import.takeBack': { input: z.object(written), output: z.object({ removed: z.number() }) },
  /**
   * How what is in a file stands to what Lanyard has: `new`, some of it at least; `held`: all of it is there, and waits
   * for a word; `inForce`: all of it is active, and only the file itself was never edited.
   */
  'import.stands': {
    input: z.object({ file: path }),
    output: z.object({ stands: z.enum(['new', 'held', 'inForce']) }),
    background: true,
  },
  'import.dismiss': { input: z.object({ file: path }), output: z.object({ kept: z.boolean() }) },
  /** What can be undone. */
  'import.undoList': {
    input: z.object({}),
    output: z.object({ files: z.array(undoable) }),
    background: true,
  },
  /** What undoing would change, and what of somebody's own would be lost (null: that can't be told by entries). */
  'import.undoDiff': {
    input: z.object({ file: path }),
    output: diff.extend({ state: undoable.shape.state, lost: z.array(z.string()).nullable() }),
  },
  /**
   * Puts a file back as it was before its last edit. Refused where it has changed since: a terminal asks about that.
   * `message` null: a dialog of the desktop app asks the person first.
   */
  'import.undo': {
    input: z.object({ file: path }),
    output: z.object({ message: z.string().nullable() }),
  },
});
