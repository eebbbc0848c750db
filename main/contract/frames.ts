import { z } from 'zod';

/**
 * What helper and broker say to each other over the local socket. On the wire a frame is a 32-bit
 * big-endian length and then UTF-8 JSON of one of these shapes. Unknown fields are ignored, an unknown
 * kind ends the connection. One request per connection; the connection's end cancels it.
 * test/wire holds golden files that this side's and the helper's tests both read.
 */
export const frameLimitBytes = 8 * 1024 * 1024;

/** The versions of the protocol that this side speaks; the highest that both speak is used. */
export const protocolRange = { min: 1, max: 1 } as const;

const version = z.int().min(1).max(65_535);
const base64 = z.base64();

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
   * domain/style.ts.
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

/** Frames that the helper sends. */
export const helperFrame = z.discriminatedUnion('kind', [helloFrame, answerFrame]);
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
 * Asks for variables of the helper's environment. The answer's value is JSON, in base64: an object of those that are
 * set and are UTF-8.
 */
export const environmentFrame = z.object({
  kind: z.literal('environment'),
  id: z.int().min(0),
  names: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/))
    .min(1)
    .max(64),
});

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
  stdoutFrame,
  exitFrame,
]);
export type BrokerFrame = z.infer<typeof brokerFrame>;
export type ExitFrame = z.infer<typeof exitFrame>;
