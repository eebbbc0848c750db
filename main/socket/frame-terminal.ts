import { z } from 'zod';
import { parseJson } from '../base/parse-json.ts';
import { Secret } from '../base/secret.ts';
import type { HelloFrame } from '../contract/frames.ts';
import type { Terminal } from '../ports/terminal.ts';
import type { Outgoing } from './outgoing.ts';

type Question =
  | { kind: 'prompt'; text: string; echo: boolean }
  | { kind: 'stdin'; maxBytes: number }
  | { kind: 'environment'; names: string[] };

const environmentAnswer = z.record(z.string(), z.string());

/** The person's terminal at the other end of one connection: questions go out as frames, answers come back. */
export class FrameTerminal implements Terminal {
  readonly #outgoing: Pick<Outgoing, 'send'>;
  readonly #features: ReadonlySet<string>;
  readonly #waiting = new Map<number, (answer: Secret | null) => void>();
  readonly canPrompt: boolean;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly styles: boolean;
  readonly canLend: boolean;
  /** Programs are not run over a connection yet. */
  readonly runner = null;
  #nextId = 1;
  #ended = false;

  constructor(
    outgoing: Pick<Outgoing, 'send'>,
    hello: Pick<HelloFrame, 'features' | 'terminal'>,
    hasTerminal: boolean,
  ) {
    this.#outgoing = outgoing;
    this.#features = new Set(hello.features);
    // Both must say so: the message alone is only a claim, the system alone doesn't know the door's mask.
    this.canPrompt = hasTerminal && hello.terminal.controlling && this.#features.has('prompt');
    this.stdinIsTerminal = hello.terminal.stdin;
    this.stdoutIsTerminal = hello.terminal.stdout;
    this.canLend = hasTerminal && hello.terminal.controlling && hello.terminal.stdin;
    this.styles = this.#features.has('style');
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

  ask(question: string, options: { echo?: boolean } = {}): Promise<Secret | null> {
    if (!this.canPrompt) {
      return Promise.resolve(null);
    }
    return this.#question({ kind: 'prompt', text: question, echo: options.echo ?? false });
  }

  readStdin(maxBytes: number): Promise<Secret | null> {
    if (this.stdinIsTerminal || !this.#features.has('stdin')) {
      return Promise.resolve(null);
    }
    return this.#question({ kind: 'stdin', maxBytes });
  }

  async environment(names: readonly string[]): Promise<Readonly<Record<string, string>> | null> {
    if (!this.#features.has('environment')) {
      return null;
    }
    const answer = await this.#question({ kind: 'environment', names: [...names] });
    const values = answer && environmentAnswer.safeParse(parseJson(answer.reveal()));
    if (!values?.success) {
      return null;
    }
    // Only what was asked for.
    return Object.fromEntries(Object.entries(values.data).filter(([name]) => names.includes(name)));
  }

  /** Takes the helper's answer; false where nothing with that id was asked. */
  answer(id: number, value: string | null): boolean {
    const resolve = this.#waiting.get(id);
    if (!resolve) {
      return false;
    }
    this.#waiting.delete(id);
    resolve(value === null ? null : new Secret(Buffer.from(value, 'base64').toString('utf8')));
    return true;
  }

  /** The helper is gone: whoever waits for an answer gets none. */
  close(): void {
    this.#ended = true;
    for (const resolve of this.#waiting.values()) {
      resolve(null);
    }
    this.#waiting.clear();
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
