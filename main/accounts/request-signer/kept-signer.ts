import type { Disposable } from '../../base/disposables.ts';
import { SingleFlight } from '../../base/single-flight.ts';
import { toRefusal } from '../../contract/broker-error.ts';
import type { RequestSignerConfig } from '../../contract/config/accounts/request-signer.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { backoffMilliseconds, shortBackoff } from '../../domain/backoff.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Recorder } from '../../ports/history.ts';
import type { KeepProgram } from '../../ports/program-keeper.ts';
import type { RequestSigners, RequestToSign } from '../../ports/request-signers.ts';
import { type CountedRun, countedRun, noExitCode, notFound } from '../plugins/counted-run.ts';
import type { PluginMemory } from '../plugins/memory.ts';
import { type PreparedRunDeps, prepareRun } from '../plugins/prepare-run.ts';
import { Transcript } from '../plugins/transcript.ts';
import { waitRefusal } from '../plugins/wait-refusal.ts';
import { headersFault } from './answer-headers.ts';
import { busyRefusal, endRefusal, headersRefusal, missingProgram, ownRefusal } from './signer-words.ts';
import { type ProgramEnd, SigningProgram } from './signing-program.ts';

export interface KeptSignerDeps extends PreparedRunDeps {
  config: RequestSignerConfig;
  keepProgram: KeepProgram;
  clock: Clock;
  recorder: Recorder;
  memory: Pick<PluginMemory, 'note'>;
  /** From 0 up to 1. */
  random(): number;
}

type Signed = Awaited<ReturnType<RequestSigners['sign']>>;

/** Without requests for this time it is ended, in milliseconds. */
const idleMilliseconds = 5 * 60_000;
/** More at once are refused: each is held in memory. */
const mostAtOnce = 256;

/** The program of one account, kept running: started with the first request, and again where it ends before it answers. */
export class KeptSigner {
  readonly #deps: KeptSignerDeps;
  readonly #starting = new SingleFlight<'start', SigningProgram | Refusal>();
  #program: SigningProgram | null = null;
  #idle: Disposable | null = null;
  /** Since it answered last. */
  #failures = 0;
  #last: { refusal: Refusal; at: number; waits: number } | null = null;
  #isOver = false;

  constructor(deps: KeptSignerDeps) {
    this.#deps = deps;
  }

  /** What a program that ended hadn’t answered is asked of one more: to sign twice does no harm. Never rejects. */
  async sign(request: RequestToSign, signal: AbortSignal): Promise<Signed> {
    const first = await this.#ask(request, signal);
    return first === 'ended' ? this.#ask(request, signal).then((again) => this.#outcome(again)) : first;
  }

  /** The account was changed or removed, or Lanyard is locked. */
  end(): void {
    this.#isOver = true;
    this.#idle?.dispose();
    this.#program?.stop();
  }

  #outcome(again: Signed | 'ended'): Signed {
    return again === 'ended' ? (this.#last?.refusal ?? this.#gone()) : again;
  }

  async #ask(request: RequestToSign, signal: AbortSignal): Promise<Signed | 'ended'> {
    const program = await this.#running();
    if ('ok' in program) {
      return program;
    }
    if (program.waiting >= mostAtOnce) {
      return busyRefusal(this.#signer, mostAtOnce);
    }
    if (signal.aborted) {
      return refuse('timedOut', 'requestSigner.given', 'the request has waited for too long');
    }
    this.#idle?.dispose();
    const asked = await program.ask(request, this.#deps.config.timeoutSeconds * 1_000);
    this.#rest(program);
    switch (asked.how) {
      case 'signed': {
        const fault = headersFault(asked.headers);
        return fault ? headersRefusal(this.#signer, fault) : { ok: true, headers: asked.headers };
      }
      case 'refused':
        return ownRefusal(this.#signer, asked.text, request);
      case 'late':
        return endRefusal(this.#signer, { why: 'late' });
      case 'ended':
        return 'ended';
    }
  }

  get #signer() {
    return { name: this.#deps.account.name, config: this.#deps.config };
  }

  async #running(): Promise<SigningProgram | Refusal> {
    if (this.#isOver) {
      return this.#gone();
    }
    if (this.#program && !this.#program.isOver) {
      return this.#program;
    }
    const { clock } = this.#deps;
    const left = this.#last ? this.#last.at + this.#last.waits - clock.boottime() : 0;
    if (this.#last && left > 0) {
      return waitRefusal(this.#last.refusal, left);
    }
    return this.#starting.run('start', () => this.#start().catch(toRefusal));
  }

  async #start(): Promise<SigningProgram | Refusal> {
    const { config, clock, keepProgram } = this.#deps;
    const begunAt = clock.boottime();
    const transcript = new Transcript(() => undefined);
    const tell = (refusal: Refusal | null, counted: CountedRun) =>
      this.#tell(refusal, counted, clock.boottime() - begunAt, transcript);
    const prepared = await prepareRun(this.#deps, { program: config });
    if (prepared.how === 'refused') {
      return prepared.refusal;
    }
    if (prepared.how === 'none') {
      return this.#failed(missingProgram(this.#signer, prepared.found), notFound, tell);
    }
    // What was prepared took its time.
    if (this.#isOver) {
      return this.#gone();
    }
    const kept = await keepProgram(prepared.order, { onStderr: (bytes) => transcript.add(bytes) });
    if ('how' in kept) {
      const refusal = endRefusal(this.#signer, { why: 'ended', outcome: kept });
      return this.#failed(refusal, countedRun(kept), tell);
    }
    const program: SigningProgram = new SigningProgram({
      kept,
      clock,
      onFirstAnswer: () => {
        this.#failures = 0;
        tell(null, { callStatus: 'no_error', exitCode: 0 });
      },
      onEnd: (end) => {
        if (end.why !== 'stopped') {
          this.#failed(endRefusal(this.#signer, end), countedEnd(end), tell);
        }
      },
    });
    this.#program = program;
    if (this.#isOver) {
      program.stop();
      return this.#gone();
    }
    return program;
  }

  #failed(
    refusal: Refusal,
    counted: CountedRun,
    tell: (refusal: Refusal, counted: CountedRun) => void,
  ): Refusal {
    const { clock, random } = this.#deps;
    // The first failure costs no wait: a program may end for reasons that have passed.
    const waits = this.#failures === 0 ? 0 : backoffMilliseconds(this.#failures, shortBackoff, random);
    this.#failures += 1;
    this.#last = { refusal, at: clock.boottime(), waits };
    tell(refusal, counted);
    return refusal;
  }

  /** Its first answer, or its failure, is told as a plugin’s run is. */
  #tell(refusal: Refusal | null, counted: CountedRun, milliseconds: number, transcript: Transcript): void {
    const { account, clock, recorder, memory } = this.#deps;
    recorder.record({
      kind: 'pluginRun',
      plugin: 'requestSigner',
      account: account.name,
      target: null,
      where: 'broker',
      ...counted,
      code: refusal?.code ?? null,
      milliseconds: Math.round(milliseconds),
    });
    memory.note({
      account: account.name,
      cluster: null,
      at: clock.now(),
      milliseconds: Math.round(milliseconds),
      where: 'broker',
      problem: refusal?.message ?? null,
      isByHand: false,
      // It goes on writing while it runs.
      get lines() {
        return transcript.lastLines;
      },
    });
  }

  #rest(program: SigningProgram): void {
    if (this.#program === program && program.waiting === 0 && !program.isOver) {
      this.#idle?.dispose();
      this.#idle = this.#deps.clock.after(idleMilliseconds, () => program.stop());
    }
  }

  #gone(): Refusal {
    return refuse(
      'notPermitted',
      'requestSigner.gone',
      `the account ${this.#deps.account.name} was changed, or Lanyard was locked`,
      'try again',
    );
  }
}

function countedEnd(end: ProgramEnd): CountedRun {
  return end.why === 'ended'
    ? countedRun(end.outcome)
    : { callStatus: 'plugin_execution_error', exitCode: noExitCode };
}
