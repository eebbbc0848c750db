import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { KeepProgram } from '../../ports/program-keeper.ts';
import { endHelper, notStarted, runProgramMode, talkTo } from './helper-talk.ts';
import { spawnDoublyPiped } from './spawn-piped.ts';

export interface ProgramKeeperDeps {
  /** The helper's file; absolute. */
  helper: string;
  clock: Pick<Clock, 'after'>;
  log: Log;
}

/**
 * Keeps programs running, each in its own helper, which is a child of the broker. When the helper's stdin ends, as it does
 * when the broker is killed, it ends the program with all it started (rule: no-stray-program). What the two say to each
 * other passes the helper, and is no frame.
 */
export function createProgramKeeper({ helper, clock, log }: ProgramKeeperDeps): KeepProgram {
  return async (order, { onStderr }) => {
    let helped: Awaited<ReturnType<typeof spawnDoublyPiped>>;
    try {
      helped = await spawnDoublyPiped(helper, [runProgramMode]);
    } catch (error) {
      return notStarted(error, log);
    }
    const { child, input: stdin, output: stdout } = helped;
    const runner = talkTo(child, { clock, log, lookUpProcess: () => null });
    const killing = new AbortController();
    const ended = runner.keep(order, { onStderr, onLapse: () => undefined, signal: killing.signal });
    void ended.then(() => endHelper(child, clock));
    return { stdin, stdout, ended, kill: () => killing.abort() };
  };
}
