import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { ProgramRunner, RunOutcome } from '../../ports/program-runner.ts';
import { encodeFrame, type FrameRead, FrameReader, parseHelperFrame } from '../socket/frame-codec.ts';
import { FrameRunner } from '../socket/frame-runner.ts';
import type { PipedChild } from './spawn-piped.ts';

/** The helper's mode in which it reads one order on stdin and obeys it. */
export const runProgramMode = 'run-program';

/** How long the helper may take to end a program with all it started; then it is killed itself. */
export const endingMilliseconds = 10_000;

export interface HelperTalkDeps {
  clock: Pick<Clock, 'after'>;
  log: Log;
  lookUpProcess(): ProgramRunner['process'];
}

/** What gives orders to a helper that was started for one program, and hears of it. */
export function talkTo(child: PipedChild, { clock, log, lookUpProcess }: HelperTalkDeps): FrameRunner {
  const runner = new FrameRunner({
    outgoing: { send: (...frames) => child.stdin.write(Buffer.concat(frames.map(encodeFrame))) },
    clock,
    nextId: () => 1,
    lookUpProcess,
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
  return runner;
}

/** Why the helper couldn't be started. `error`: Node's. */
export function notStarted(error: unknown, log: Log): Extract<RunOutcome, { how: 'notStarted' }> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  log.error('runner.helper', { code });
  return { how: 'notStarted', message: `Lanyard’s helper can’t be started (${code})` };
}

/** Its program has ended, or is no longer wanted: the helper ends, too. */
export function endHelper(child: PipedChild, clock: Pick<Clock, 'after'>): void {
  child.stdin.end();
  if (child.exitCode === null && child.signalCode === null) {
    const limit = clock.after(endingMilliseconds, () => child.kill('SIGKILL'));
    child.once('exit', () => limit.dispose());
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
