import type { Disposable } from '../../base/disposables.ts';
import { Secret } from '../../base/secret.ts';
import {
  type HelperFrame,
  type KeepFrame,
  keepFrame,
  type RunFrame,
  type RunOutcomeFrame,
  runFrame,
} from '../../contract/frames.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeepOrder } from '../../ports/program-keeper.ts';
import type { ProgramRunner, RunOrder, RunOutcome, RunWatch } from '../../ports/program-runner.ts';
import { printedText } from '../programs/rules/printed-text.ts';
import type { Outgoing } from './outgoing.ts';

/** What a helper says of a run. */
export type RunReport = Extract<HelperFrame, { kind: 'alive' | 'said' | 'ran' }>;

/** A helper reports each second; after three seconds of silence it counts as stopped. */
export const leaseMilliseconds = 3_000;

/** The last part of the lease: a broker that stood still itself first reads what came meanwhile. */
const lastLookMilliseconds = 250;

/** More of what a program writes to stderr is dropped: in all, or each second of one that is kept running. */
const saidBytes = 64 * 1024;

interface Run {
  readonly id: number;
  readonly maxBytes: number;
  readonly isKept: boolean;
  readonly watch: RunWatch;
  readonly settle: (outcome: RunOutcome) => void;
  saidLeft: number;
  lapsed: boolean;
  lease: Disposable;
}

export interface FrameRunnerDeps {
  outgoing: Pick<Outgoing, 'send'>;
  clock: Pick<Clock, 'after'>;
  nextId(): number;
  /** The helper's process, looked up while it is known to be there; null: it can't be told. */
  lookUpProcess(): ProgramRunner['process'];
}

/** Runs programs at the other end of a connection, one at a time: a second order meanwhile is `lost` unsent. */
export class FrameRunner implements ProgramRunner {
  readonly #deps: FrameRunnerDeps;
  #run: Run | null = null;
  #ran: Promise<unknown> = Promise.resolve();
  /** Runs that were given up: what their helper had under way is dropped, up to the end that it tells. */
  readonly #givenUp = new Set<number>();
  #ended = false;
  #process: ProgramRunner['process'] = null;

  constructor(deps: FrameRunnerDeps) {
    this.#deps = deps;
  }

  get process(): ProgramRunner['process'] {
    if (!this.#ended) {
      this.#process ??= this.#deps.lookUpProcess();
    }
    return this.#process;
  }

  run(order: RunOrder, watch: RunWatch): Promise<RunOutcome> {
    if (this.#ended || this.#run || watch.signal.aborted) {
      return Promise.resolve({ how: 'lost' });
    }
    const id = this.#deps.nextId();
    const frame = runFrame.safeParse(frameOf(id, order));
    return frame.success
      ? this.#begin(frame.data, { maxBytes: order.maxBytes, isKept: false }, watch)
      : Promise.resolve(tooMuch);
  }

  /** As `run`, of a program that is kept running. Only the broker's own helper takes it. */
  keep({ command, args, env, cwd }: KeepOrder, watch: RunWatch): Promise<RunOutcome> {
    if (this.#ended || this.#run || watch.signal.aborted) {
      return Promise.resolve({ how: 'lost' });
    }
    const id = this.#deps.nextId();
    const frame = keepFrame.safeParse({ kind: 'keep', id, command, args, env: variables(env), cwd });
    return frame.success
      ? this.#begin(frame.data, { maxBytes: 0, isKept: true }, watch)
      : Promise.resolve(tooMuch);
  }

  #begin(
    frame: RunFrame | KeepFrame,
    { maxBytes, isKept }: Pick<Run, 'maxBytes' | 'isKept'>,
    watch: RunWatch,
  ): Promise<RunOutcome> {
    const { id } = frame;
    try {
      this.#deps.outgoing.send(frame);
    } catch {
      return Promise.resolve(tooMuch);
    }
    const ran = new Promise<RunOutcome>((resolve) => {
      const giveUp = () => this.#giveUp();
      const settle = (outcome: RunOutcome) => {
        watch.signal.removeEventListener('abort', giveUp);
        this.#run?.lease.dispose();
        this.#run = null;
        resolve(outcome);
      };
      watch.signal.addEventListener('abort', giveUp, { once: true });
      const lease = this.#lease();
      this.#run = { id, maxBytes, isKept, watch, settle, saidLeft: saidBytes, lapsed: false, lease };
    });
    this.#ran = ran;
    return ran;
  }

  /** Resolves once nothing runs there. */
  async idle(): Promise<void> {
    await this.#ran;
  }

  /** Takes what the helper says of a run; what is wrong with it, or null. */
  take(report: RunReport): 'order' | 'oversized' | null {
    const run = this.#run;
    if (run?.id !== report.id) {
      return this.#isLate(report) ? null : 'order';
    }
    if (report.kind === 'ran') {
      const outcome = outcomeOf(report.outcome, run.maxBytes);
      if (!outcome) {
        return 'oversized';
      }
      run.settle(outcome);
      return null;
    }
    run.lease.dispose();
    run.lease = this.#lease();
    if (run.lapsed) {
      run.lapsed = false;
      run.watch.onLapse(false);
    }
    if (report.kind === 'alive' && run.isKept) {
      run.saidLeft = saidBytes;
    }
    if (report.kind === 'said' && run.saidLeft > 0) {
      const bytes = Buffer.from(report.data, 'base64').subarray(0, run.saidLeft);
      run.saidLeft -= bytes.length;
      run.watch.onStderr(bytes);
    }
    return null;
  }

  /** The helper is gone. */
  close(): void {
    this.#ended = true;
    this.#run?.settle({ how: 'lost' });
  }

  #lease(): Disposable {
    let timer = this.#deps.clock.after(leaseMilliseconds - lastLookMilliseconds, () => {
      timer = this.#deps.clock.after(lastLookMilliseconds, () => this.#lapse());
    });
    return { dispose: () => timer.dispose() };
  }

  #lapse(): void {
    if (this.#run) {
      this.#run.lapsed = true;
      this.#run.watch.onLapse(true);
    }
  }

  #giveUp(): void {
    const run = this.#run;
    if (run) {
      this.#givenUp.add(run.id);
      run.settle({ how: 'lost' });
      this.#deps.outgoing.send({ kind: 'cancel', id: run.id });
    }
  }

  #isLate({ kind, id }: RunReport): boolean {
    return kind === 'ran' ? this.#givenUp.delete(id) : this.#givenUp.has(id);
  }
}

/** An order that no frame holds: of a config without bounds, so not the helper's fault. */
const tooMuch: RunOutcome = { how: 'notStarted', message: 'its arguments and environment are too large' };

function frameOf(id: number, { env, timeoutSeconds, ...order }: RunOrder) {
  const { command, args, pass, cwd, terminal, input, endsAll, runsOn, maxBytes } = order;
  return {
    kind: 'run',
    id,
    command,
    args: [...args],
    env: variables(env),
    pass: [...pass],
    cwd,
    terminal,
    ...(input && { input: input.reveal() }),
    ...(endsAll && { endsAll }),
    ...(runsOn && { runsOn }),
    maxBytes,
    seconds: timeoutSeconds,
  };
}

function variables(env: RunOrder['env']): { name: string; value: string }[] {
  return Object.entries(env).map(([name, value]) => ({ name, value }));
}

/** Null where there is more on stdout than was ordered. */
function outcomeOf(frame: RunOutcomeFrame, maxBytes: number): RunOutcome | null {
  if (frame.how !== 'exited') {
    return frame;
  }
  const stdout = Buffer.from(frame.stdout, 'base64');
  return stdout.length > maxBytes
    ? null
    : { how: 'exited', code: frame.code, stdout: new Secret(printedText(stdout)) };
}
