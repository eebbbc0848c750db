import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { PeerIdentity } from '../../ports/peer-identity.ts';
import type { ProgramRunner, RunOrder, RunOutcome, RunWatch } from '../../ports/program-runner.ts';
import { processOf } from '../socket/caller-lookup.ts';
import { endHelper, endingMilliseconds, notStarted, runProgramMode, talkTo } from './helper-talk.ts';
import { type PipedChild, spawnPiped } from './spawn-piped.ts';

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
    let child: PipedChild;
    try {
      child = await spawnPiped(this.#deps.helper, [runProgramMode]);
    } catch (error) {
      return notStarted(error, this.#deps.log);
    }
    // Now, while it waits for its order: once it has ended the pid may be another's.
    this.#process = processOf(child.pid ?? 0, this.#deps.identity);
    return this.#talk(child, { ...order, pass: [] }, watch);
  }

  async #talk(child: PipedChild, order: RunOrder, watch: RunWatch): Promise<RunOutcome> {
    const { clock, log } = this.#deps;
    const runner = talkTo(child, { clock, log, lookUpProcess: () => this.#process });
    // The helper keeps the program's own limit; this is for a helper that doesn't.
    let overdue = false;
    const limit = clock.after(order.timeoutSeconds * 1_000 + endingMilliseconds, () => {
      overdue = true;
      runner.close();
    });
    const outcome = await runner.run(order, watch);
    limit.dispose();
    endHelper(child, clock);
    return overdue ? { how: 'timedOut' } : outcome;
  }
}
