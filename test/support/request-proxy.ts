import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import tls from 'node:tls';
import { assertBuilt } from './built.ts';
import type { OwnForm } from './own-listener.ts';

const program = join(import.meta.dirname, '..', '..', 'dist', 'bin', 'lanyard-proxy');

type Line = Readonly<Record<string, unknown>>;

/** A step of a chain, as the broker works it out (docs/adr/0030). */
export type Step =
  | { step: 'set' | 'add'; name: string; value: string; secret: boolean }
  | { step: 'remove'; name: string }
  | { step: 'removePrefix'; prefix: string }
  | {
      step: 'signAws';
      service: string;
      region: string;
      payload: 'hashed' | 'unsigned';
      accessKeyId: string;
      sessionToken: string | null;
      /** Of `signingKeys`. */
      keys: readonly { date: string; key: string }[];
    }
  | { step: 'signProgram'; signer: string; payload: 'hashed' | 'none'; credentials: boolean };

/** A cluster as the broker states it; `epoch` is another one once an approval was taken back. */
export interface StatedCluster {
  server: string;
  certificateAuthority: string;
  proxy?: { url: string; user: [string, string] | null };
  clientCertificate?:
    | { certificate: string; key: string }
    | { certificate: string; signer: string; schemes: readonly number[] };
  epoch?: string;
  passesCookies?: boolean;
}

/** What a request of a cluster gets, or why it gets nothing. */
export type Given =
  | { steps: readonly Step[]; livesMilliseconds?: number | null }
  | { status: number; text: string };

/** What a program of the user’s own says of a request; null: nothing, ever. */
export type Signed =
  | { set: readonly (readonly [string, string])[] }
  | { status: number; text: string }
  | null;

/** A handshake’s signature, base64; null: nothing is said, ever. */
export type HandshakeSigned = { signature: string } | { status: number; text: string } | null;

/** What a try asks for. */
export interface Try {
  cluster?: string;
  method?: string;
  path: string;
  headers?: readonly (readonly [string, string])[];
}

/** What a listener of one client’s own is asked for with; without them: this process’s, on a loopback port. */
export interface ListenerWish {
  cluster?: string;
  pid?: number;
  lockFile?: string | null;
  /** A Unix socket’s path; null: a port. */
  socket?: string | null;
  clientCertificate?: boolean;
  idleMilliseconds?: number;
}

type Issued = Record<'authority' | 'leaf', { certificate: string; key: string }>;

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/** The data plane, with a test in the broker’s place. */
export class RequestProxy {
  readonly port: number;
  /** PEM. */
  readonly ca: string;
  /** All that was told but what answers an order, `need`, `sign` and `signHandshake`. */
  readonly told: Line[] = [];
  /** Each `need`, in order. */
  readonly needs: Line[] = [];
  /** Of clients, when `streams` was asked last. */
  connections = 0;
  give: (need: Line) => Given = () => ({ steps: [] });
  /** Each `sign`, in order. */
  readonly signs: Line[] = [];
  sign: (request: Line) => Signed = () => ({ set: [] });
  /** Each `signHandshake`, in order. */
  readonly handshakes: Line[] = [];
  signHandshake: (asked: Line) => Promise<HandshakeSigned> = async () => null;
  readonly #child: ChildProcess;
  readonly #key: Buffer;
  #generation = 0;
  #lastId = 0;
  readonly #asked = new Map<number, (streams: readonly Line[]) => void>();
  readonly #opening = new Map<number, (told: Line) => void>();
  readonly #trying = new Map<number, (tried: Line) => void>();

  readonly #issued: Issued;

  private constructor(child: ChildProcess, port: number, issued: Issued, key: Buffer) {
    this.#child = child;
    this.port = port;
    this.#issued = issued;
    this.ca = issued.authority.certificate;
    this.#key = key;
  }

  static start(): Promise<RequestProxy> {
    assertBuilt();
    const issued = JSON.parse(
      execFileSync(program, ['issue'], { input: '{"authority":null}', encoding: 'utf8', env: {} }),
    ) as Issued;
    return RequestProxy.#launch(0, issued, randomBytes(32));
  }

  /** Kills it, and starts another in its place: on the same port, with the same CA and key of the way in. */
  async killed(): Promise<RequestProxy> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
    return RequestProxy.#launch(this.port, this.#issued, this.#key);
  }

  static async #launch(stored: number, issued: Issued, key: Buffer): Promise<RequestProxy> {
    const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'], env: {} });
    const lines = createInterface({ input: child.stdout });
    let proxy: RequestProxy | null = null;
    const port = await new Promise<number>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
      lines.on('line', (line) => {
        const told = JSON.parse(line) as Line;
        if (told['tell'] === 'listening') {
          resolve(told['port'] as number);
        }
        proxy?.hear(told);
      });
      const { certificate, key: leafKey } = issued.leaf;
      child.stdin.write(`${JSON.stringify({ do: 'listen', port: stored, certificate, key: leafKey })}\n`);
    });
    proxy = new RequestProxy(child, port, issued, key);
    return proxy;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Resolves once the order is obeyed: orders are, one after the other. */
  async order(order: object): Promise<void> {
    this.#send(order);
    await this.streams();
  }

  /** What is open. */
  streams(): Promise<readonly Line[]> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      this.#send({ do: 'streams', id });
    });
  }

  /** What becomes of a request of this process. */
  try({ cluster = 'prod', method = 'GET', path, headers = [] }: Try): Promise<Line> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#trying.set(id, resolve);
      this.#send({ do: 'try', id, cluster, pid: process.pid, method, path, headers });
    });
  }

  /** Lets requests pass. */
  open(): Promise<void> {
    return this.order({ do: 'open', key: this.#key.toString('base64') });
  }

  /** A listener of one client’s own: what the data plane tells of it. */
  async openListener(wish: ListenerWish = {}): Promise<Line> {
    const { cluster = 'prod', pid = process.pid, lockFile = null, socket = null } = wish;
    const { clientCertificate = false, idleMilliseconds = 300_000 } = wish;
    this.#lastId += 1;
    const id = this.#lastId;
    const listen = socket === null ? { kind: 'tls' } : { kind: 'unix', path: socket };
    const told = new Promise<Line>((resolve) => this.#opening.set(id, resolve));
    const started = startOf(pid);
    this.#send({
      do: 'listener',
      id,
      cluster,
      pid,
      started,
      lockFile,
      listen,
      clientCertificate,
      idleMilliseconds,
    });
    return told;
  }

  /** What a client would be answered, with the way in of this process. */
  async ownForm(wish: ListenerWish = {}): Promise<OwnForm & { id: number }> {
    const told = await this.openListener(wish);
    if (told['tell'] !== 'listener') {
      throw new Error(JSON.stringify(told));
    }
    const url = wish.socket ? `unix://${wish.socket}` : `https://127.0.0.1:${told['port']}`;
    const pair = told['clientCertificate'] as { certificate: string; key: string } | null;
    return {
      id: told['id'] as number,
      token: this.token(wish.cluster ?? 'prod'),
      proxyConfig: { url, 'certificate-authority-data': Buffer.from(this.ca).toString('base64') },
      ...(pair && { clientCertificateData: pair.certificate, clientKeyData: pair.key }),
    };
  }

  setClusters(clusters: Readonly<Record<string, StatedCluster>>): Promise<void> {
    const stated = Object.entries(clusters).map(
      ([name, { epoch = '1', passesCookies = false, ...upstream }]) => ({
        name,
        epoch,
        version: JSON.stringify([upstream, passesCookies]),
        passesCookies,
        upstream,
      }),
    );
    return this.order({ do: 'clusters', clusters: stated });
  }

  /** The way in of this process; `more`: in place of its own parts. */
  token(cluster: string, more: object = {}): string {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const own = { c: cluster, e: '1', p: process.pid, s: startOf(process.pid), b: boot };
    const payload = JSON.stringify({ ...own, ...more });
    const mac = createHmac('sha256', this.#key).update(`lanyard way in 1\n${payload}`).digest('base64url');
    return `${Buffer.from(payload).toString('base64url')}.${mac}`;
  }

  ask(
    path: string,
    options: {
      method?: string;
      headers?: Record<string, string | string[]>;
      body?: string | Buffer;
      token?: string;
      agent?: https.Agent;
    } = {},
  ): Promise<Answer> {
    const { method = 'GET', headers = {}, body, token = this.token('prod'), agent } = options;
    return new Promise((resolve, reject) => {
      const request = https.request(
        {
          host: '127.0.0.1',
          port: this.port,
          path,
          method,
          ca: this.ca,
          headers: { authorization: `Bearer ${token}`, ...headers },
          ...(agent && { agent }),
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(parts).toString(),
            }),
          );
          response.on('error', reject);
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  /** These bytes over TLS, and all that comes until the proxy ends the connection; `end`: the client ends it behind them. */
  raw(bytes: string, { end = false } = {}): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = '';
      const socket = tls.connect({
        host: '127.0.0.1',
        port: this.port,
        ca: this.ca,
        ALPNProtocols: ['http/1.1'],
      });
      socket.on('secureConnect', () => (end ? socket.end(bytes) : socket.write(bytes)));
      socket.on('data', (data) => {
        text += String(data);
      });
      // A refusal may end the connection before all was read: what came counts.
      socket.on('error', (error) => (text === '' ? reject(error) : undefined));
      socket.on('close', () => resolve(text));
    });
  }

  async dispose(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin?.end();
    await ended;
  }

  #send(order: object): void {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  private hear(told: Line): void {
    if (told['tell'] === 'streams') {
      this.connections = told['connections'] as number;
      this.#asked.get(told['id'] as number)?.(told['streams'] as Line[]);
      return;
    }
    if (told['tell'] === 'listener' || told['tell'] === 'listenerRefused') {
      this.#opening.get(told['id'] as number)?.(told);
      return;
    }
    if (told['tell'] === 'tried') {
      this.#trying.get(told['id'] as number)?.(told['tried'] as Line);
      return;
    }
    if (told['tell'] === 'sign') {
      this.signs.push(told);
      const signed = this.sign(told['request'] as Line);
      if (signed !== null) {
        this.#send({ do: 'text' in signed ? 'refuse' : 'signed', id: told['id'], ...signed });
      }
      return;
    }
    if (told['tell'] === 'signHandshake') {
      this.handshakes.push(told);
      void this.signHandshake(told).then((signed) => {
        if (signed !== null) {
          this.#send({ do: 'text' in signed ? 'refuse' : 'signature', id: told['id'], ...signed });
        }
      });
      return;
    }
    if (told['tell'] !== 'need') {
      this.told.push(told);
      return;
    }
    this.needs.push(told);
    const given = this.give(told);
    if ('text' in given) {
      this.#send({ do: 'refuse', id: told['id'], ...given });
    } else {
      this.#generation += 1;
      this.#send({
        do: 'chain',
        id: told['id'],
        generation: this.#generation,
        livesMilliseconds: null,
        ...given,
      });
    }
  }
}

/** Field 22 of /proc/PID/stat. */
export function startOf(pid: number): string {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? '';
}
