import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { PeerIdentity } from '../../ports/peer-identity.ts';
import type { ProgramRunner, RunOrder, RunOutcome, RunWatch } from '../../ports/program-runner.ts';
import { processOf } from '../socket/caller-lookup.ts';
import { encodeFrame, type FrameRead, FrameReader, parseHelperFrame } from '../socket/frame-codec.ts';
import { FrameRunner } from '../socket/frame-runner.ts';
import { type PipedChild, spawnPiped } from './spawn-piped.ts';

/** The helper's mode in which it reads one order on stdin and runs it. */
const mode = 'run-program';

/** How long the helper may take to end a program with all it started; then it is killed itself. */
const endingMilliseconds = 10_000;

export interface HelperRunnerDeps {
  /** The helper's file; absolute. */
  helper: string;
  clock: Pick<Clock, 'after'>;
  identity: Pick<PeerIdentity, 'brief'>;
  log: Log;
}

/**
 * Makes runners for programs without a terminal. Each runs one program in its own helper, which is a child of the
 * broker and has no environment and `/` as its folder, so `pass` passes nothing. When the helper's stdin ends, as it
 * does when the broker is killed, it ends the program with all it started (rule: no-stray-program).
 */
export function createHelperRunner(deps: HelperRunnerDeps): () => ProgramRunner {
  return () => new HelperRunner(deps);
}

class HelperRunner implements ProgramRunner {
  readonly #deps: HelperRunnerDeps;
  #process: ProgramRunner['process'] = null;
  #used = false;

  constructor(deps: HelperRunnerDeps) {
    this.#deps = deps;
  }

  get process(): ProgramRunner['process'] {
    return this.#process;
  }

  async run(order: RunOrder, watch: RunWatch): Promise<RunOutcome> {
    if (this.#used || watch.signal.aborted) {
      return { how: 'lost' };
    }
    if (order.terminal) {
      return { how: 'noTerminal' };
    }
    this.#used = true;
    const child = await start(this.#deps.helper);
    if (typeof child === 'string') {
      this.#deps.log.error('runner.helper', { code: child });
      return { how: 'notStarted', message: `Lanyard’s helper can’t be started (${child})` };
    }
    // Now, while it waits for its order: once it has ended the pid may be another's.
    this.#process = processOf(child.pid ?? 0, this.#deps.identity);
    return this.#talk(child, { ...order, pass: [] }, watch);
  }

  async #talk(child: PipedChild, order: RunOrder, watch: RunWatch): Promise<RunOutcome> {
    const { clock, log } = this.#deps;
    const runner = new FrameRunner({
      outgoing: { send: (...frames) => child.stdin.write(Buffer.concat(frames.map(encodeFrame))) },
      clock,
      nextId: () => 1,
      lookUpProcess: () => this.#process,
    });
    const reader = new FrameReader();
    const take = (chunk: Buffer) => {
      for (const read of reader.push(chunk)) {
        const fault = faultIn(read, runner);
        if (fault) {
          log.error('runner.frame', { fault });
          child.stdout.off('data', take);
          runner.close();
          return;
        }
      }
    };
    child.stdout.on('data', take);
    child.once('close', (code, signal) => {
      if (code !== 0) {
        log.warn('runner.ended', { code, signal });
      }
      runner.close();
    });
    // The helper keeps the program's own limit; this is for a helper that doesn't.
    let overdue = false;
    const limit = clock.after(order.timeoutSeconds * 1_000 + endingMilliseconds, () => {
      overdue = true;
      runner.close();
    });
    const outcome = await runner.run(order, watch);
    limit.dispose();
    end(child, clock);
    return overdue ? { how: 'timedOut' } : outcome;
  }
}

/** The helper, or the system's code for why there is none. */
async function start(helper: string): Promise<PipedChild | string> {
  try {
    return await spawnPiped(helper, [mode]);
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  }
}

/** What is wrong with what the helper sent, or null. */
function faultIn(read: FrameRead, runner: FrameRunner): string | null {
  const parsed = read.ok ? parseHelperFrame(read.json) : read;
  if (!parsed.ok) {
    return parsed.fault;
  }
  const { frame } = parsed;
  return frame.kind === 'hello' || frame.kind === 'answer' ? 'order' : runner.take(frame);
}

function end(child: PipedChild, clock: Pick<Clock, 'after'>): void {
  child.stdin.end();
  if (child.exitCode === null && child.signalCode === null) {
    const limit = clock.after(endingMilliseconds, () => child.kill('SIGKILL'));
    child.once('exit', () => limit.dispose());
  }
}
