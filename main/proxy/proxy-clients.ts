import { basename } from 'node:path';
import { z } from 'zod';
import type { Disposable } from '../base/disposables.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { readOwnFile, writeOwnFile } from '../config/own-file.ts';
import type { Caller } from '../ports/caller.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { PeerIdentity } from '../ports/peer-identity.ts';

/** A process that has a way into the request proxy. */
export interface ProxyClient {
  pid: number;
  startTime: string;
  /** Its program’s file name; null: unknown. */
  program: string | null;
  /** Of the boot that it is of. */
  bootId?: string | undefined;
  /** When its token expires, in milliseconds of the boottime clock; absent: with the process. */
  expiresAt?: number | undefined;
}

export interface ProxyClientsDeps {
  /** Where they are stored, so that a broker that starts again serves those that still live. */
  file: string;
  identity: Pick<PeerIdentity, 'brief'>;
  /** Of this boot. */
  bootId(): string;
  clock: Pick<Clock, 'after' | 'boottime'>;
  log: Log;
}

const stored = z.object({
  version: z.literal(1),
  clients: z.array(
    z.object({
      pid: z.int().min(1),
      startTime: z.string().max(64),
      program: z.string().max(256).nullable(),
      // Absent in what earlier versions wrote.
      bootId: z.string().max(64).optional(),
      expiresAt: z.number().optional(),
    }),
  ),
});

/** A burst of commands is one write, in milliseconds. */
const writeAfter = 500;
/** More at once than a machine runs; the oldest is forgotten. */
const most = 4_096;

/** The processes that may use the request proxy now, and that the next broker has to serve, too. */
export class ProxyClients implements Disposable {
  readonly #deps: ProxyClientsDeps;
  readonly #clients = new Map<number, ProxyClient>();
  readonly #writes = new SerialQueue();
  #waiting: Disposable | null = null;

  constructor(deps: ProxyClientsDeps) {
    this.#deps = deps;
  }

  /** Those of the last broker that still live. */
  async restore(): Promise<void> {
    const text = (await readOwnFile(this.#deps.file))?.toString('utf8');
    for (const client of text === undefined ? [] : parse(text)) {
      // An earlier version gave pid 1 a token without an end.
      const isEndless = client.pid === 1 && client.expiresAt === undefined;
      if (!isEndless && !this.#clients.has(client.pid) && this.#lives(client)) {
        this.#clients.set(client.pid, client);
      }
    }
  }

  /** `expiresAt`: of its token, in milliseconds of the boottime clock; null: with the process. */
  add(
    { pid, startTime, executable }: Pick<Caller, 'pid' | 'startTime' | 'executable'>,
    expiresAt: number | null,
  ): void {
    const bootId = this.#deps.bootId();
    const known = this.#clients.get(pid);
    const isKnown = known?.startTime === startTime && known.bootId === bootId;
    if (isKnown && known.expiresAt === undefined) {
      return;
    }
    this.#clients.delete(pid);
    this.#clients.set(pid, {
      ...{ pid, startTime, program: executable && basename(executable), bootId },
      ...(expiresAt !== null && { expiresAt }),
    });
    for (const oldest of this.#clients.keys()) {
      if (this.#clients.size <= most) {
        break;
      }
      this.#clients.delete(oldest);
    }
    this.#writeSoon();
  }

  find(pid: number): ProxyClient | null {
    return this.#clients.get(pid) ?? null;
  }

  /** Whether one still lives; those that have ended are forgotten. */
  anyLives(): boolean {
    for (const client of this.#clients.values()) {
      if (!this.#lives(client)) {
        this.#clients.delete(client.pid);
        this.#writeSoon();
      }
    }
    return this.#clients.size > 0;
  }

  async dispose(): Promise<void> {
    if (this.#waiting) {
      this.#waiting.dispose();
      this.#write();
    }
    await this.#writes.drain();
  }

  #lives({
    pid,
    startTime,
    bootId = this.#deps.bootId(),
    expiresAt = Number.POSITIVE_INFINITY,
  }: ProxyClient) {
    return (
      bootId === this.#deps.bootId() &&
      this.#deps.clock.boottime() < expiresAt &&
      this.#deps.identity.brief(pid)?.startTime === startTime
    );
  }

  #writeSoon(): void {
    this.#waiting ??= this.#deps.clock.after(writeAfter, () => this.#write());
  }

  #write(): void {
    this.#waiting = null;
    const { file, log } = this.#deps;
    this.#writes
      .run(() => {
        const text = `${JSON.stringify({ version: 1, clients: [...this.#clients.values()] })}\n`;
        return writeOwnFile(file, text, { mode: 0o600 });
      })
      .catch((error: unknown) => log.warn('proxy.clients', { error: String(error) }));
  }
}

/** Of a file that is damaged, none. */
function parse(text: string): ProxyClient[] {
  try {
    return stored.parse(JSON.parse(text)).clients;
  } catch {
    return [];
  }
}
