import type { Disposable } from '../../base/disposables.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeptProgram } from '../../ports/program-keeper.ts';
import type { RunOutcome } from '../../ports/program-runner.ts';
import type { RequestToSign } from '../../ports/request-signers.ts';
import { AnswerLines } from './answer-lines.ts';
import { type HeaderPairs, longestAnswer, readAnswer, requestLine } from './protocol.ts';

/** Why a program runs no more. */
export type ProgramEnd =
  /** It ended by itself, or was never started. */
  | { why: 'ended'; outcome: RunOutcome }
  /** It let a request wait for too long. */
  | { why: 'late' }
  /** `fault`: what was wrong with what it wrote. */
  | { why: 'fault'; fault: string }
  /** Nobody needs it. */
  | { why: 'stopped' };

/** What became of one request. */
export type Asked =
  | { how: 'signed'; headers: HeaderPairs }
  /** The program’s own words: untrusted. */
  | { how: 'refused'; text: string }
  | { how: 'late' }
  /** Not answered: another run of the program may. */
  | { how: 'ended'; end: ProgramEnd };

export interface SigningProgramDeps {
  kept: KeptProgram;
  clock: Pick<Clock, 'after'>;
  /** It answered for the first time. */
  onFirstAnswer(): void;
  /** Once. All that it hadn’t answered is told before. */
  onEnd(end: ProgramEnd): void;
}

/** The first answer may come so much later than others, in milliseconds: an interpreter has to start. */
const startMilliseconds = 10_000;
/** Once its stdin has ended it may take so long to end by itself. */
const partingMilliseconds = 1_000;

/** One run of a program that signs: requests go in, answers come in any order. It is ended where it breaks the protocol. */
export class SigningProgram {
  readonly #deps: SigningProgramDeps;
  readonly #waiting = new Map<number, { settle(asked: Asked): void; limit: Disposable }>();
  #last = 0;
  #hasAnswered = false;
  #end: ProgramEnd | null = null;

  constructor(deps: SigningProgramDeps) {
    this.#deps = deps;
    const { kept, clock } = deps;
    const lines = new AnswerLines(longestAnswer);
    const closed = new Promise<void>((resolve) => {
      kept.stdout.once('close', resolve);
      kept.stdout.once('end', resolve);
    });
    kept.stdout.on('data', (bytes: Buffer) => {
      for (const read of this.#end ? [] : lines.push(bytes)) {
        const fault = read.ok ? this.#take(read.line) : read.fault;
        if (fault !== null) {
          this.#over({ why: 'fault', fault });
          return;
        }
      }
    });
    // What it wrote last may come after its end, and its end after its stdout’s.
    void kept.ended.then(async (outcome) => {
      const limit = clock.after(partingMilliseconds, () => this.#over({ why: 'ended', outcome }));
      await closed;
      limit.dispose();
      this.#over({ why: 'ended', outcome });
    });
    void closed.then(() => {
      const fault = 'it closed its standard output';
      const limit = clock.after(partingMilliseconds, () => this.#over({ why: 'fault', fault }));
      void kept.ended.then(() => limit.dispose());
    });
  }

  /** Requests that it hasn’t answered. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether it takes requests. */
  get isOver(): boolean {
    return this.#end !== null;
  }

  ask(request: RequestToSign, milliseconds: number): Promise<Asked> {
    const { kept, clock } = this.#deps;
    if (this.#end) {
      return Promise.resolve({ how: 'ended', end: this.#end });
    }
    this.#last += 1;
    const id = this.#last;
    return new Promise((settle) => {
      const most = milliseconds + (this.#hasAnswered ? 0 : startMilliseconds);
      const limit = clock.after(most, () => {
        this.#waiting.delete(id);
        settle({ how: 'late' });
        this.#over({ why: 'late' });
      });
      this.#waiting.set(id, { settle, limit });
      kept.stdin.write(requestLine(id, request));
    });
  }

  /** Ends it, and lets it end by itself first (rule: no-stray-program). */
  stop(): void {
    const { kept, clock } = this.#deps;
    if (this.#end) {
      return;
    }
    this.#finish({ why: 'stopped' });
    kept.stdin.end();
    const limit = clock.after(partingMilliseconds, () => kept.kill());
    void kept.ended.then(() => limit.dispose());
  }

  /** What is wrong with the line; null: nothing. */
  #take(line: string): string | null {
    const read = readAnswer(line);
    if (!read.ok) {
      return read.fault;
    }
    const waiting = this.#waiting.get(read.id);
    if (!waiting) {
      return 'it answered a request that doesn’t wait for an answer';
    }
    this.#waiting.delete(read.id);
    waiting.limit.dispose();
    if (!this.#hasAnswered) {
      this.#hasAnswered = true;
      this.#deps.onFirstAnswer();
    }
    waiting.settle(
      'error' in read ? { how: 'refused', text: read.error } : { how: 'signed', headers: read.headers },
    );
    return null;
  }

  #over(end: ProgramEnd): void {
    if (!this.#end) {
      this.#finish(end);
      this.#deps.kept.kill();
    }
  }

  #finish(end: ProgramEnd): void {
    this.#end = end;
    for (const { settle, limit } of this.#waiting.values()) {
      limit.dispose();
      settle({ how: 'ended', end });
    }
    this.#waiting.clear();
    this.#deps.onEnd(end);
  }
}
