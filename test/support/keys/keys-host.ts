import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { assertBuilt } from '../built.ts';

export const keysProgram = join(import.meta.dirname, '..', '..', '..', 'dist', 'bin', 'lanyard-keys');

/** What lanyard-keys tells; see native-helper/keys/src/order.rs. */
// biome-ignore lint/suspicious/noExplicitAny: each test looks at the fields that it is about.
export type Told = Readonly<Record<string, any>>;

/** Which token, key and certificate. */
export interface Select {
  token?: string;
  serial?: string;
  manufacturer?: string;
  model?: string;
  slot?: number;
  label?: string;
  id?: string;
}

/** One lanyard-keys, with a test in the broker’s place. */
export class KeysHost {
  /** All lines, and those that no order asked for. */
  readonly told: Told[] = [];
  readonly unasked: Told[] = [];
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (told: Told) => void>();
  readonly #unaskedWaiting: (() => void)[] = [];
  #lastId = 0;

  constructor(env: Readonly<Record<string, string>>) {
    assertBuilt();
    this.#child = spawn(keysProgram, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...env } });
    this.exited = once(this.#child, 'exit').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as string | null,
    }));
    createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const told = JSON.parse(line) as Told;
      this.told.push(told);
      const id = told['id'] as number | undefined;
      if (id === undefined) {
        this.unasked.push(told);
        for (const wake of this.#unaskedWaiting.splice(0)) wake();
      } else {
        this.#waiting.get(id)?.(told);
      }
    });
    // It may have ended: the answer is missing then, too.
    this.#child.stdin?.on('error', () => undefined);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Its answer; or `{ tell: 'ended' }` where it ends before. */
  order(order: object): Promise<Told> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<Told>((resolve) => this.#waiting.set(id, resolve));
    this.#child.stdin?.write(`${JSON.stringify({ id, ...order })}\n`);
    return Promise.race([answer, this.exited.then(() => ({ tell: 'ended' }))]);
  }

  /** With the digest that its file has now. */
  load(module: string): Promise<Told> {
    const sha256 = createHash('sha256').update(readFileSync(module)).digest('hex');
    return this.order({ do: 'load', module, sha256 });
  }

  open(
    select: Select,
    more: { pin?: string | null; pad?: boolean; certificate?: string | null } = {},
  ): Promise<Told> {
    return this.order({ do: 'open', select, certificate: null, pin: '1234', pad: false, ...more });
  }

  sign(scheme: number, message: Buffer): Promise<Told> {
    return this.order({ do: 'sign', scheme, message: message.toString('base64') });
  }

  /** The next line that no order asked for. */
  nextUnasked(): Promise<void> {
    return new Promise((resolve) => this.#unaskedWaiting.push(resolve));
  }

  write(text: string): void {
    this.#child.stdin?.write(text);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async dispose(): Promise<void> {
    this.#child.stdin?.end();
    await this.exited;
  }
}
