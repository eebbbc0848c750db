import { z } from 'zod';

/**
 * The frames between helper and broker on the local socket. On the wire a frame is a 32-bit big-endian length in bytes,
 * then UTF-8 JSON of one of these shapes. Unknown fields are ignored; an unknown kind ends the connection. A connection
 * has one request; closing it cancels the request. test/wire has golden files that the tests of both sides read.
 */
export const frameLimitBytes = 8 * 1024 * 1024;

/**
 * The most bytes of the first frame: a long command line and KUBERNETES_EXEC_INFO in base64, which Linux limits to 128
 * KiB. Lower than for other frames: many clients may send one at the same time, before any is served.
 */
export const helloLimitBytes = 512 * 1024;

/** The most bytes of incomplete frames, over all connections (rule: bounded-input). */
export const unfinishedLimitBytes = 32 * 1024 * 1024;

/** The protocol versions of this side. Both sides use the highest that they share. */
export const protocolRange = { min: 1, max: 1 } as const;

const version = z.int().min(1).max(65_535);
const base64 = z.base64();
const variableNames = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}\*?$/);

/** The helper’s terminal, by its own account: for display and prompts, never the only ground of a decision. */
const terminal = z.object({
  /** Whether file descriptor 0, 1, 2 is a terminal. */
  stdin: z.boolean(),
  stdout: z.boolean(),
  stderr: z.boolean(),
  /** Whether it has a controlling terminal for prompts (/dev/tty). */
  controlling: z.boolean(),
  /** How wide standard output is; absent: it is no terminal, or an older helper's. */
  columns: z.int().min(1).max(65_535).optional(),
});

/** The request of `lanyard kube-credential` (KEP-541). */
export const kubeRequest = z.object({
  /** The arguments after `kube-credential`, as given. */
  args: z.array(z.string()),
  /** KUBERNETES_EXEC_INFO’s bytes in base64; null where the variable isn’t set. */
  execInfo: base64.nullable(),
});

export type KubeRequest = z.infer<typeof kubeRequest>;

export const dockerRequest = z.object({
  /** NAME of `docker-credential-lanyard-NAME`, the name that the helper was called under. */
  calledAs: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,128}$/)
    .nullable(),
  /** An action of docker’s credential helper protocol. */
  action: z.enum(['get', 'store', 'erase', 'list']),
  /** Standard input, at most 64 KiB, in base64. Empty for `list`. */
  input: base64.max(87_384),
});

export type DockerRequest = z.infer<typeof dockerRequest>;

/** The request of a command line. */
export const imageRequest = z.object({
  /** A CredentialProviderRequest as JSON (KEP-2133): standard input, at most 320 KiB, in base64. */
  input: base64.max(436_908),
});

export const cliRequest = z.object({
  /** The arguments after the program’s name, as given. Never contains a secret. */
  args: z.array(z.string()),
  /** The working directory, for relative paths. */
  cwd: z.string(),
});

/** The first frame, from the helper. */
export const helloFrame = z.object({
  kind: z.literal('hello'),
  protocol: z.object({ min: version, max: version }),
  /** The helper’s version, for messages. */
  helper: z.string().max(64),
  door: z.string().max(32),
  /**
   * The kinds of frame that the broker may send to this door: the helper’s mask. With `style`, text may contain the
   * marks of domain/text/style.ts.
   */
  features: z.array(z.string().max(32)).max(32),
  terminal,
  request: z.unknown(),
});

/** Answers `prompt`, `stdin` or `environment` of the same id. Null: interrupted, or there is no terminal. */
export const answerFrame = z.object({
  kind: z.literal('answer'),
  id: z.int().min(0),
  value: base64.nullable(),
});

/** How a program that the helper ran ended. */
export const runOutcome = z.discriminatedUnion('how', [
  /** It exited; `stdout` is all that it wrote. */
  z.object({ how: z.literal('exited'), code: z.int().min(0).max(255), stdout: base64 }),
  /** A signal ended it, but no key of the user. */
  z.object({ how: z.literal('signalled'), signal: z.int().min(1).max(128) }),
  /** The file doesn’t exist. */
  z.object({ how: z.literal('notFound') }),
  /** The system would not run it; `message` is the system’s reason. */
  z.object({ how: z.literal('notStarted'), message: z.string().max(1024) }),
  /** It wrote more than `maxBytes` to stdout, and was killed. */
  z.object({ how: z.literal('tooLarge') }),
  /** It ran longer than `seconds`, and was killed with all that it started. */
  z.object({ how: z.literal('timedOut') }),
  /** The user ended it (Ctrl-C, a hang-up): the helper ends, too. */
  z.object({ how: z.literal('interrupted'), signal: z.int().min(1).max(128) }),
  /** A terminal was requested, but this helper runs in the background and can’t pass its terminal on. */
  z.object({ how: z.literal('noTerminal') }),
]);

/** Sent each second while a program of `run` runs, so that a stopped or hanging helper is noticed. */
export const aliveFrame = z.object({ kind: z.literal('alive'), id: z.int().min(0) });

/** What the program wrote to stderr. The helper has already shown it. */
export const saidFrame = z.object({ kind: z.literal('said'), id: z.int().min(0), data: base64 });

/** Answers `run`: the program has ended. */
export const ranFrame = z.object({ kind: z.literal('ran'), id: z.int().min(0), outcome: runOutcome });

/** Frames that the helper sends. */
export const helperFrame = z.discriminatedUnion('kind', [
  helloFrame,
  answerFrame,
  aliveFrame,
  saidFrame,
  ranFrame,
]);
export type RunOutcomeFrame = z.infer<typeof runOutcome>;
export type HelperFrame = z.infer<typeof helperFrame>;
export type HelloFrame = z.infer<typeof helloFrame>;

/** The protocol version for the rest of the connection. */
export const welcomeFrame = z.object({
  kind: z.literal('welcome'),
  protocol: version,
  broker: z.string().max(64),
});

/** Text for the user, on stderr. The helper strips control and direction characters. */
export const stderrFrame = z.object({ kind: z.literal('stderr'), text: z.string() });

/** The helper waits up to this many seconds more, from now on. */
export const progressFrame = z.object({ kind: z.literal('progress'), seconds: z.int().min(1).max(3600) });

/** Prompts on the controlling terminal and reads one line; without `echo` it isn’t shown. */
export const promptFrame = z.object({
  kind: z.literal('prompt'),
  id: z.int().min(0),
  text: z.string(),
  echo: z.boolean(),
});

/** Reads standard input to its end. More than `maxBytes` is the helper’s error. */
export const stdinFrame = z.object({
  kind: z.literal('stdin'),
  id: z.int().min(0),
  maxBytes: z
    .int()
    .min(1)
    .max(1024 * 1024),
});

/**
 * Reads variables of the helper’s environment; a name that ends in `*` means all with that prefix. The answer’s value
 * is JSON in base64: an object of those that are set and valid UTF-8.
 */
export const environmentFrame = z.object({
  kind: z.literal('environment'),
  id: z.int().min(0),
  names: z.array(variableNames).min(1).max(64),
});

/**
 * Makes the helper run a program (a wrapped exec plugin), one at a time. The answer is `ran` of the same id, after any
 * number of `alive` and `said`.
 */
export const runFrame = z.object({
  kind: z.literal('run'),
  id: z.int().min(0),
  /** Absolute path. */
  command: z.string().min(1).max(4096),
  args: z.array(z.string()).max(256),
  /** Its whole environment, but for `pass`. */
  env: z.array(z.object({ name: z.string().min(1).max(128), value: z.string() })).max(4096),
  /** Variables of the helper to add where `env` lacks them. `PREFIX*` as in `environment`; `*` alone means all. */
  pass: z.array(z.union([z.literal('*'), variableNames])).max(64),
  /** Absolute path; null: the helper’s working directory. */
  cwd: z.string().max(4096).nullable(),
  /**
   * True: the program gets the user’s terminal as standard input, and is its foreground process group. False: standard
   * input is `input`, and the program gets a new session.
   */
  terminal: z.boolean(),
  /** What the program reads on standard input, without a terminal; absent: nothing. */
  input: z
    .string()
    .max(512 * 1024)
    .optional(),
  /** What the program leaves running is killed when it ends well, too; absent: it is left alone. */
  endsAll: z.boolean().optional(),
  /**
   * The program may be its client’s proxy (KEP-2718). Once it has answered with one, in JSON, that is its `ran`, and it
   * runs on beside the helper, which then lives as long as it, after the request’s end, too. An older helper waits for its
   * end.
   */
  runsOn: z.boolean().optional(),
  /** The most bytes of stdout. */
  maxBytes: z
    .int()
    .min(1)
    .max(4 * 1024 * 1024),
  seconds: z.int().min(1).max(3600),
});

/**
 * Makes the broker’s own helper keep a program running, without limits: the broker writes to it and reads from it by the
 * helper’s descriptors 3 and 4. It has a session of its own, and all that it started ends with it. The answers are as for
 * `run`; its stdout is empty there.
 */
export const keepFrame = runFrame.pick({ id: true, command: true, args: true, env: true }).extend({
  kind: z.literal('keep'),
  /** Absolute path. */
  cwd: z.string().max(4096),
});

/**
 * Cancels `run` or `keep`: the program is killed with all that it started. Or withdraws the question of `prompt` with this id,
 * which an older helper keeps asking. Has no answer.
 */
export const cancelFrame = z.object({ kind: z.literal('cancel'), id: z.int().min(0) });

/** A piece of stdout before the end, for output that goes on until the user ends it (the CLI alone). */
export const stdoutFrame = z.object({ kind: z.literal('stdout'), data: base64 });

/** The end: the text for stderr and stdout, in one piece each, and the process’s exit code. */
export const exitFrame = z.object({
  kind: z.literal('exit'),
  code: z.int().min(0).max(255),
  stdout: base64.optional(),
  stderr: z.string().optional(),
});

/** Frames that the broker sends. */
export const brokerFrame = z.discriminatedUnion('kind', [
  welcomeFrame,
  stderrFrame,
  progressFrame,
  promptFrame,
  stdinFrame,
  environmentFrame,
  runFrame,
  keepFrame,
  cancelFrame,
  stdoutFrame,
  exitFrame,
]);
export type BrokerFrame = z.infer<typeof brokerFrame>;
export type KeepFrame = z.infer<typeof keepFrame>;
export type RunFrame = z.infer<typeof runFrame>;
export type ExitFrame = z.infer<typeof exitFrame>;
