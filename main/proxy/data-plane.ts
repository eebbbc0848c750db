import { once } from 'node:events';
import { z } from 'zod';
import { Secret } from '../base/secret.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { type TriedRequest, triedRequest } from '../contract/tried-request.ts';
import { readLines } from '../platform/programs/read-lines.ts';
import { type PipedChild, spawnPiped } from '../platform/programs/spawn-piped.ts';
import type { Clock } from '../ports/clock.ts';
import type { StatedCluster } from './stated-cluster.ts';
import type { WorkedOutStep } from './worked-out-chain.ts';

/** A certificate with its key, PEM. */
export interface KeyPair {
  certificate: string;
  key: Secret;
}

/** Asks for a listener of one client’s own (native-helper/proxy/src/client_listener). */
export interface ListenerOrder {
  do: 'listener';
  id: number;
  cluster: string;
  pid: number;
  /** When the process started, as its way in has it. */
  started: string;
  lockFile: string | null;
  listen: { kind: 'unix'; path: string } | { kind: 'tls' };
  clientCertificate: boolean;
  idleMilliseconds: number;
}

/** What the data plane is told: a line of JSON each (native-helper/proxy/src/control.rs). */
export type Order =
  | { do: 'leaf'; certificate: string; key: string }
  | { do: 'roots'; roots: string }
  | { do: 'clusters'; clusters: readonly StatedCluster[] }
  | { do: 'open'; key: string }
  | { do: 'close'; text: string; graceMilliseconds: number }
  | {
      do: 'chain';
      id: number;
      steps: readonly WorkedOutStep[];
      generation: number;
      livesMilliseconds: number | null;
    }
  | { do: 'refuse'; id: number; status: number; text: string }
  | { do: 'signed'; id: number; set: readonly (readonly [string, string])[] }
  | { do: 'signature'; id: number; signature: string }
  | { do: 'forget' }
  | { do: 'end'; stream: number | null }
  | { do: 'endListener'; id: number };

const stream = z.object({
  id: z.number(),
  cluster: z.string(),
  pid: z.number(),
  method: z.string(),
  path: z.string(),
  milliseconds: z.number(),
  sentMicroseconds: z.number().nullable(),
  answeredMicroseconds: z.number().nullable(),
  bytesUp: z.number(),
  bytesDown: z.number(),
});
/** PEM, the key as a secret. */
const pair = z.object({ certificate: z.string(), key: z.string().transform((key) => new Secret(key)) });
const listenerTells = [
  z.object({
    tell: z.literal('listener'),
    id: z.number(),
    /** Null: it is a Unix socket. */
    port: z.number().nullable(),
    clientCertificate: pair.nullable(),
  }),
  z.object({
    tell: z.literal('listenerRefused'),
    id: z.number(),
    code: z.string(),
    text: z.string(),
    hint: z.string().nullable(),
  }),
] as const;
export type ListenerTell = z.infer<(typeof listenerTells)[number]>;

/** A request under way, or one that has ended. */
export type StreamView = z.infer<typeof stream>;

const tell = z.discriminatedUnion('tell', [
  z.object({ tell: z.literal('listening'), port: z.number() }),
  z.object({ tell: z.literal('fault'), cluster: z.string().nullable(), text: z.string() }),
  z.object({
    tell: z.literal('need'),
    id: z.number(),
    cluster: z.string(),
    pid: z.number(),
    rejected: z.number().nullable(),
  }),
  z.object({
    tell: z.literal('passed'),
    status: z.number(),
    fault: z.string().nullable(),
    stream,
  }),
  z.object({
    tell: z.literal('streams'),
    id: z.number(),
    streams: z.array(stream),
    connections: z.number(),
  }),
  z.object({ tell: z.literal('lost'), count: z.number() }),
  z.object({
    tell: z.literal('sign'),
    id: z.number(),
    cluster: z.string(),
    signer: z.string(),
    request: z.object({
      method: z.string(),
      path: z.string(),
      host: z.string(),
      headers: z.array(z.tuple([z.string(), z.string()])),
      bodySha256: z.string().nullable(),
    }),
  }),
  z.object({
    tell: z.literal('signHandshake'),
    id: z.number(),
    cluster: z.string(),
    signer: z.string(),
    scheme: z.number(),
    /** Base64. */
    message: z.base64(),
  }),
  z.object({ tell: z.literal('tried'), id: z.number(), tried: triedRequest }),
  ...listenerTells,
  z.object({ tell: z.literal('listenerEnded'), id: z.number(), why: z.string() }),
]);
export type Tell = z.infer<typeof tell>;

/** How long the data plane may take to end once its stdin has. */
const endingMilliseconds = 2_000;
/** How long it may take to say what is under way. */
const tellingMilliseconds = 2_000;
/** How long a start, and one run of `issue`, may take. */
const startMilliseconds = 10_000;
/** How long a request that the broker makes itself may take: longer than the data plane waits. */
const tryingMilliseconds = 70_000;
/** How long a listener of one client’s own may take: a lock file may be on a slow file system. */
const openingMilliseconds = 10_000;

export interface DataPlaneDeps {
  /** The file of lanyard-proxy; absolute. */
  program: string;
  clock: Pick<Clock, 'after'>;
  /** What it tells, but the answer to `streams`; `from`: an answer is for that run alone. */
  hear(told: Tell, from: DataPlane): void;
}

/** One run of lanyard-proxy that listens. It ends when its stdin does, as when the broker is killed. */
export class DataPlane {
  readonly pid: number;
  readonly port: number;
  /** Resolves when the process has ended, however it did. */
  readonly ended: Promise<void>;
  readonly #child: PipedChild;
  readonly #clock: Pick<Clock, 'after'>;
  /** Of clients, when `streams` was asked last. */
  connections = 0;
  readonly #asked = new Map<number, (streams: readonly StreamView[]) => void>();
  readonly #opening = new Map<number, (told: ListenerTell | null) => void>();
  readonly #trying = new Map<number, (tried: TriedRequest | null) => void>();
  #last = 0;

  private constructor(child: PipedChild, port: number, clock: Pick<Clock, 'after'>) {
    this.#child = child;
    this.#clock = clock;
    this.pid = child.pid ?? 0;
    this.port = port;
    this.ended = new Promise((resolve) => {
      const over = () => {
        for (const answer of this.#asked.values()) {
          answer([]);
        }
        this.#asked.clear();
        for (const answer of this.#trying.values()) {
          answer(null);
        }
        this.#trying.clear();
        for (const answer of this.#opening.values()) {
          answer(null);
        }
        this.#opening.clear();
        resolve();
      };
      if (child.exitCode !== null || child.signalCode !== null) {
        over();
      } else {
        child.once('exit', over);
      }
    });
  }

  /** Listens when it resolves. Throws BrokerError `proxy.start`, and `proxy.listen` where the port can’t be had. */
  static async start(
    { program, clock, hear }: DataPlaneDeps,
    listen: { port: number; leaf: KeyPair },
  ): Promise<DataPlane> {
    const child = await started(program, []);
    const waiting = Promise.withResolvers<number>();
    const limit = clock.after(startMilliseconds, () => waiting.reject(new Error('it doesn’t listen')));
    child.once('exit', (code, signal) => waiting.reject(new Error(`it ended with ${code ?? signal}`)));
    let plane: DataPlane | null = null;
    readLines(child.stdout, (line) => {
      const told = tellIn(line);
      if (told?.tell === 'listening') {
        waiting.resolve(told.port);
      } else if (told?.tell === 'fault' && told.cluster === null && plane === null) {
        waiting.reject(new BrokerError('proxy.listen', told.text));
      } else if (told?.tell === 'streams') {
        plane?.answer(told);
      } else if (told?.tell === 'tried') {
        plane?.answerTry(told);
      } else if (told?.tell === 'listener' || told?.tell === 'listenerRefused') {
        plane?.answerListener(told);
      } else if (told && plane) {
        hear(told, plane);
      }
    });
    const { certificate, key } = listen.leaf;
    child.stdin.write(line({ do: 'listen', port: listen.port, certificate, key: key.reveal() }));
    try {
      plane = new DataPlane(child, await waiting.promise, clock);
      return plane;
    } catch (error) {
      child.kill('SIGKILL');
      throw error instanceof BrokerError ? error : startError(program, error);
    } finally {
      limit.dispose();
    }
  }

  order(order: Order): void {
    this.#child.stdin.write(line(order));
  }

  /** What is open; none once it has ended, or where it doesn’t answer. */
  streams(): Promise<readonly StreamView[]> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
      return Promise.resolve([]);
    }
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      const limit = this.#clock.after(tellingMilliseconds, () => {
        this.#asked.delete(id);
        resolve([]);
      });
      this.#asked.set(id, (streams) => {
        limit.dispose();
        resolve(streams);
      });
      this.#child.stdin.write(line({ do: 'streams', id }));
    });
  }

  answer({ id, streams, connections }: Extract<Tell, { tell: 'streams' }>): void {
    this.connections = connections;
    this.#asked.get(id)?.(streams);
    this.#asked.delete(id);
  }

  /**
   * Makes a request of its own, as a client of process `pid` would, and says what became of it. Null: it ended before
   * that, or doesn’t answer.
   */
  try(
    cluster: string,
    { pid, method, path }: { pid: number; method: string; path: string },
    signal: AbortSignal,
  ): Promise<TriedRequest | null> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
      return Promise.resolve(null);
    }
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      const end = () => this.#trying.get(id)?.(null);
      const limit = this.#clock.after(tryingMilliseconds, end);
      signal.addEventListener('abort', end, { once: true });
      this.#trying.set(id, (tried) => {
        limit.dispose();
        signal.removeEventListener('abort', end);
        this.#trying.delete(id);
        resolve(tried);
      });
      this.#child.stdin.write(line({ do: 'try', id, cluster, pid, method, path, headers: [] }));
    });
  }

  answerTry({ id, tried }: Extract<Tell, { tell: 'tried' }>): void {
    this.#trying.get(id)?.(tried);
  }

  /** Null: it ended before that, or doesn’t answer. */
  openListener(wanted: ListenerOrder): Promise<ListenerTell | null> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
      return Promise.resolve(null);
    }
    return new Promise((resolve) => {
      const limit = this.#clock.after(openingMilliseconds, () => this.#opening.get(wanted.id)?.(null));
      this.#opening.set(wanted.id, (told) => {
        limit.dispose();
        this.#opening.delete(wanted.id);
        resolve(told);
      });
      this.#child.stdin.write(line(wanted));
    });
  }

  answerListener(told: ListenerTell): void {
    this.#opening.get(told.id)?.(told);
  }

  /** Ends all that goes through it. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    const limit = this.#clock.after(endingMilliseconds, () => this.#child.kill('SIGKILL'));
    await this.ended;
    limit.dispose();
  }
}

/**
 * A certificate for the listener, and the CA that issued it: a new one where none is given. Throws BrokerError
 * `proxy.start`.
 */
export async function issueCertificates(
  program: string,
  authority: KeyPair | null,
): Promise<{ authority: KeyPair; leaf: KeyPair }> {
  const child = await started(program, ['issue']);
  const limit = setTimeout(() => child.kill('SIGKILL'), startMilliseconds);
  try {
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    const asked = authority && { certificate: authority.certificate, key: authority.key.reveal() };
    child.stdin.end(JSON.stringify({ authority: asked }));
    await once(child, 'close');
    return issued.parse(JSON.parse(Buffer.concat(parts).toString('utf8')));
  } catch (error) {
    throw startError(program, error);
  } finally {
    clearTimeout(limit);
  }
}

const issued = z.object({ authority: pair, leaf: pair });

async function started(program: string, args: readonly string[]): Promise<PipedChild> {
  try {
    return await spawnPiped(program, args);
  } catch (error) {
    throw startError(program, error);
  }
}

function startError(program: string, cause: unknown): BrokerError {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return new BrokerError('proxy.start', `the request proxy, ${program}, can’t be started${code}`, {
    reason: 'internal',
    hint: 'run: lanyard doctor',
    cause,
  });
}

function line(order: object): string {
  return `${JSON.stringify(order)}\n`;
}

/** Null: it is none that this broker knows. */
function tellIn(text: string): Tell | null {
  try {
    return tell.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
