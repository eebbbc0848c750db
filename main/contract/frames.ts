import { z } from 'zod';

/**
 * What helper and broker say to each other over the local socket. On the wire a frame is a 32-bit
 * big-endian length and then UTF-8 JSON of one of these shapes. Unknown fields are ignored, an unknown
 * kind ends the connection. One request per connection; the connection's end cancels it.
 * test/wire holds golden files that this side's and the helper's tests both read.
 */
export const frameLimitBytes = 8 * 1024 * 1024;

/**
 * Bytes of the first frame: KUBERNETES_EXEC_INFO, of which Linux allows 128 KiB, in base64, beside a long command line.
 * Who says a hello has been served nothing yet, and many can say one at once.
 */
export const helloLimitBytes = 512 * 1024;

/** Bytes that all connections together may hold of frames that aren't whole yet (rule: bounded-input). */
export const unfinishedLimitBytes = 32 * 1024 * 1024;

/** The versions of the protocol that this side speaks; the highest that both speak is used. */
export const protocolRange = { min: 1, max: 1 } as const;

const version = z.int().min(1).max(65_535);
const base64 = z.base64();
const variableNames = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}\*?$/);

/** What the helper's process knows of its terminal: for display and prompts, never for a decision alone. */
const terminal = z.object({
  /** File descriptor 0, 1, 2 is a terminal. */
  stdin: z.boolean(),
  stdout: z.boolean(),
  stderr: z.boolean(),
  /** There is a controlling terminal that can be asked on (/dev/tty). */
  controlling: z.boolean(),
});

export const kubeRequest = z.object({
  /** What followed `kube-credential`, as given. */
  args: z.array(z.string()),
  /** KUBERNETES_EXEC_INFO's bytes in base64; null where the variable is not set. */
  execInfo: base64.nullable(),
});

export type KubeRequest = z.infer<typeof kubeRequest>;

export const cliRequest = z.object({
  /** The whole command line after the program's name, as given. Never holds a secret. */
  args: z.array(z.string()),
  /** The folder that relative paths are meant against. */
  cwd: z.string(),
});

/** The first frame, from the helper. */
export const helloFrame = z.object({
  kind: z.literal('hello'),
  protocol: z.object({ min: version, max: version }),
  /** The helper's own version, for messages. */
  helper: z.string().max(64),
  door: z.string().max(32),
  /**
   * Frame kinds that the helper lets the broker send for this door: its mask. `style`: text may hold the marks of
   * domain/text/style.ts.
   */
  features: z.array(z.string().max(32)).max(32),
  terminal,
  request: z.unknown(),
});

/** The helper's answer to `prompt`, `stdin` or `environment` with the same id; null: nobody there, or interrupted. */
export const answerFrame = z.object({
  kind: z.literal('answer'),
  id: z.int().min(0),
  value: base64.nullable(),
});

/** How a program ended that the helper ran. */
export const runOutcome = z.discriminatedUnion('how', [
  /** It ended by itself; `stdout` is all that it wrote. */
  z.object({ how: z.literal('exited'), code: z.int().min(0).max(255), stdout: base64 }),
  /** A signal ended it, but no key of the person's. */
  z.object({ how: z.literal('signalled'), signal: z.int().min(1).max(128) }),
  /** There is no such file. */
  z.object({ how: z.literal('notFound') }),
  /** The system would not run it: `message` says why, in the system's words. */
  z.object({ how: z.literal('notStarted'), message: z.string().max(1024) }),
  /** More on stdout than `maxBytes`; it was ended. */
  z.object({ how: z.literal('tooLarge') }),
  /** It took longer than `seconds`; it was ended with all it started. */
  z.object({ how: z.literal('timedOut') }),
  /** The person ended it (Ctrl-C, a hang-up): the helper ends, too. */
  z.object({ how: z.literal('interrupted'), signal: z.int().min(1).max(128) }),
  /** A terminal was wanted, and this helper has none that it may hand over: it runs in the background. */
  z.object({ how: z.literal('noTerminal') }),
]);

/** A program runs that `run` ordered: sent each second, so that a helper which is stopped or hangs is noticed. */
export const aliveFrame = z.object({ kind: z.literal('alive'), id: z.int().min(0) });

/** What the program wrote to stderr; the helper has shown it on its own already. */
export const saidFrame = z.object({ kind: z.literal('said'), id: z.int().min(0), data: base64 });

/** The end of what `run` ordered. */
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

/** Says which version both sides speak from here on. */
export const welcomeFrame = z.object({
  kind: z.literal('welcome'),
  protocol: version,
  broker: z.string().max(64),
});

/** Text for the person, on stderr; the helper strips control and direction characters. */
export const stderrFrame = z.object({ kind: z.literal('stderr'), text: z.string() });

/** Work goes on: the helper waits this many seconds more from now before it gives up. */
export const progressFrame = z.object({ kind: z.literal('progress'), seconds: z.int().min(1).max(3600) });

/** Asks on the controlling terminal. One line is read; without `echo` it isn't shown. */
export const promptFrame = z.object({
  kind: z.literal('prompt'),
  id: z.int().min(0),
  text: z.string(),
  echo: z.boolean(),
});

/** Asks for all of standard input up to `maxBytes`; more than that is an error of the helper's. */
export const stdinFrame = z.object({
  kind: z.literal('stdin'),
  id: z.int().min(0),
  maxBytes: z
    .int()
    .min(1)
    .max(1024 * 1024),
});

/**
 * Asks for variables of the helper's environment; a name that ends in `*` stands for all that begin so. The answer's
 * value is JSON, in base64: an object of those that are set and are UTF-8.
 */
export const environmentFrame = z.object({
  kind: z.literal('environment'),
  id: z.int().min(0),
  names: z.array(variableNames).min(1).max(64),
});

/**
 * Orders a program to be run by the helper (a wrapped exec plugin). One at a time; the answer is `ran` with the same
 * id, after any number of `alive` and `said`.
 */
export const runFrame = z.object({
  kind: z.literal('run'),
  id: z.int().min(0),
  /** Absolute. */
  command: z.string().min(1).max(4096),
  args: z.array(z.string()).max(256),
  /** Its environment, whole but for `pass`. */
  env: z.array(z.object({ name: z.string().min(1).max(128), value: z.string() })).max(4096),
  /** Variables of the helper's own that go along where `env` has none of their name; `*` as in `environment`, alone: all. */
  pass: z.array(z.union([z.literal('*'), variableNames])).max(64),
  /** Absolute; null: the helper's own. */
  cwd: z.string().max(4096).nullable(),
  /**
   * The person's terminal is handed over: it is the program's standard input, and the program is its foreground
   * group. Else standard input is empty, and the program gets a session of its own.
   */
  terminal: z.boolean(),
  /** The most that stdout may hold. */
  maxBytes: z
    .int()
    .min(1)
    .max(4 * 1024 * 1024),
  seconds: z.int().min(1).max(3600),
});

/**
 * What `run` ordered isn't wanted any more: the program is ended with all it started. Or the question of `prompt` with
 * this id is taken back (an older helper asks on). Nothing is answered.
 */
export const cancelFrame = z.object({ kind: z.literal('cancel'), id: z.int().min(0) });

/** A piece of stdout before the end, for what goes on until the person ends it (the CLI alone). */
export const stdoutFrame = z.object({ kind: z.literal('stdout'), data: base64 });

/** The end: what goes to stderr and stdout, in one piece each, and the process's exit code. */
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
  cancelFrame,
  stdoutFrame,
  exitFrame,
]);
export type BrokerFrame = z.infer<typeof brokerFrame>;
export type RunFrame = z.infer<typeof runFrame>;
export type ExitFrame = z.infer<typeof exitFrame>;
