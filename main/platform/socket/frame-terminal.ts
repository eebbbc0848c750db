import { z } from 'zod';
import { parseJson } from '../../base/parse-json.ts';
import { Secret } from '../../base/secret.ts';
import type { HelloFrame, HelperFrame } from '../../contract/frames.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ProgramRunner } from '../../ports/program-runner.ts';
import type { Terminal } from '../../ports/terminal.ts';
import { FrameRunner, type RunReport } from './frame-runner.ts';
import type { Outgoing } from './outgoing.ts';

type AnswerFrame = Extract<HelperFrame, { kind: 'answer' }>;

type Question =
  | { kind: 'prompt'; text: string; echo: boolean }
  | { kind: 'stdin'; maxBytes: number }
  | { kind: 'environment'; names: string[] };

const environmentAnswer = z.record(z.string(), z.string());

/** All values of an answer together; one with more is taken for none. */
const environmentBytes = 64 * 1024;

export interface FrameTerminalDeps {
  outgoing: Pick<Outgoing, 'send'>;
  clock: Pick<Clock, 'after'>;
  /** The helper's process. */
  lookUpProcess(): ProgramRunner['process'];
}

/** The user's terminal at the other end of one connection: questions go out as frames, answers come back. */
export class FrameTerminal implements Terminal {
  readonly #outgoing: Pick<Outgoing, 'send'>;
  readonly #features: ReadonlySet<string>;
  readonly #waiting = new Map<number, (answer: Secret | null) => void>();
  readonly canPrompt: boolean;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly columns: number | null;
  readonly styles: boolean;
  readonly canLend: boolean;
  readonly runner: FrameRunner | null;
  /** Withdrawn questions: an answer that was on its way already is dropped. */
  readonly #takenBack = new Set<number>();
  #nextId = 1;
  #ended = false;

  constructor(
    { outgoing, clock, lookUpProcess }: FrameTerminalDeps,
    hello: Pick<HelloFrame, 'features' | 'terminal'>,
    hasTerminal: boolean,
  ) {
    this.#outgoing = outgoing;
    this.#features = new Set(hello.features);
    // Both must say so: the message alone is only a claim, the system alone doesn't know the mask (rule: door-mask).
    this.canPrompt = hasTerminal && hello.terminal.controlling && this.#features.has('prompt');
    this.stdinIsTerminal = hello.terminal.stdin;
    this.stdoutIsTerminal = hello.terminal.stdout;
    this.columns = hello.terminal.stdout ? (hello.terminal.columns ?? null) : null;
    this.canLend = hasTerminal && hello.terminal.controlling && hello.terminal.stdin;
    this.styles = this.#features.has('style');
    const nextId = () => this.#nextId++;
    this.runner = this.#features.has('run')
      ? new FrameRunner({ outgoing, clock, nextId, lookUpProcess })
      : null;
  }

  print(text: string): void {
    if (this.#features.has('stderr')) {
      this.#outgoing.send({ kind: 'stderr', text });
    }
  }

  writeStdout(text: string): boolean {
    if (!this.#features.has('stdout')) {
      return false;
    }
    this.#outgoing.send({ kind: 'stdout', data: Buffer.from(text, 'utf8').toString('base64') });
    return true;
  }

  extend(seconds: number): void {
    if (this.#features.has('progress')) {
      this.#outgoing.send({ kind: 'progress', seconds });
    }
  }

  async ask(
    question: string,
    { echo = false, signal }: { echo?: boolean; signal?: AbortSignal } = {},
  ): Promise<Secret | null> {
    if (!this.canPrompt || signal?.aborted) {
      return null;
    }
    const asked = this.#question({ kind: 'prompt', text: question, echo });
    const id = this.#nextId - 1;
    const takeBack = () => this.#takeBack(id);
    signal?.addEventListener('abort', takeBack, { once: true });
    try {
      return await asked;
    } finally {
      signal?.removeEventListener('abort', takeBack);
    }
  }

  readStdin(maxBytes: number): Promise<Secret | null> {
    if (this.stdinIsTerminal || !this.#features.has('stdin')) {
      return Promise.resolve(null);
    }
    return this.#question({ kind: 'stdin', maxBytes });
  }

  async environment(names: readonly string[]): Promise<Readonly<Record<string, string>> | null> {
    const patterns = names.some((name) => name.endsWith('*'));
    // A helper that runs no programs may be one from before there were patterns, and would take them for no names.
    if (!this.#features.has('environment') || (patterns && !this.runner)) {
      return null;
    }
    if (names.length === 0) {
      return {};
    }
    const answer = await this.#question({ kind: 'environment', names: [...names] });
    const values = answer && environmentAnswer.safeParse(parseJson(answer.reveal()));
    if (!values?.success) {
      return null;
    }
    // Only what was asked for.
    const asked = Object.entries(values.data).filter(([name]) => names.some((each) => matches(each, name)));
    const bytes = asked.reduce((sum, [, value]) => sum + Buffer.byteLength(value), 0);
    return bytes > environmentBytes ? null : Object.fromEntries(asked);
  }

  /** Takes what the helper sends after its hello; what is wrong with it, or null. */
  take(frame: AnswerFrame | RunReport): 'order' | 'oversized' | null {
    if (frame.kind !== 'answer') {
      return this.runner ? this.runner.take(frame) : 'order';
    }
    const resolve = this.#waiting.get(frame.id);
    if (!resolve && this.#takenBack.delete(frame.id)) {
      return null;
    }
    if (!resolve) {
      return 'order';
    }
    this.#waiting.delete(frame.id);
    resolve(frame.value === null ? null : new Secret(Buffer.from(frame.value, 'base64').toString('utf8')));
    return null;
  }

  /** The helper has gone: waiting questions get no answer. */
  close(): void {
    this.#ended = true;
    for (const resolve of this.#waiting.values()) {
      resolve(null);
    }
    this.#waiting.clear();
    this.runner?.close();
  }

  #takeBack(id: number): void {
    const resolve = this.#waiting.get(id);
    if (resolve) {
      this.#waiting.delete(id);
      this.#takenBack.add(id);
      if (this.#features.has('cancel')) {
        this.#outgoing.send({ kind: 'cancel', id });
      }
      resolve(null);
    }
  }

  #question(question: Question): Promise<Secret | null> {
    if (this.#ended) {
      return Promise.resolve(null);
    }
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#outgoing.send({ ...question, id });
    });
  }
}

function matches(asked: string, name: string): boolean {
  return asked.endsWith('*') ? name.startsWith(asked.slice(0, -1)) : name === asked;
}
