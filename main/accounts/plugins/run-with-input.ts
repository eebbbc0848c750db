import type { Secret } from '../../base/secret.ts';
import type { ProgramRunner, RunOutcome } from '../../ports/program-runner.ts';
import { type PreparedProgram, type PreparedRun, type PreparedRunDeps, prepareRun } from './prepare-run.ts';
import { Transcript } from './transcript.ts';

export interface InputRunDeps extends PreparedRunDeps {
  /** One that runs in the broker, without a terminal. */
  runProgram(): ProgramRunner;
}

export interface InputRun extends PreparedProgram {
  input: Secret;
  maxBytes: number;
  timeoutSeconds: number;
}

/** `lines`: the last lines of its stderr, stripped. `none`: nothing was run, for there is no such program. */
export type InputRunEnd =
  | { how: 'ran'; outcome: RunOutcome; lines: readonly string[] }
  | Exclude<PreparedRun, { how: 'ready' }>;

/**
 * Runs the account’s program once, in the broker, with a request on standard input. All that it starts ends with it.
 */
export async function runWithInput(
  deps: InputRunDeps,
  { input, maxBytes, timeoutSeconds, ...program }: InputRun,
  signal: AbortSignal,
): Promise<InputRunEnd> {
  const prepared = await prepareRun(deps, program);
  if (prepared.how !== 'ready') {
    return prepared;
  }
  const transcript = new Transcript(() => undefined);
  const outcome = await deps.runProgram().run(
    {
      ...prepared.order,
      pass: [],
      terminal: false,
      input,
      endsAll: true,
      maxBytes,
      timeoutSeconds,
    },
    { onStderr: (bytes) => transcript.add(bytes), onLapse: () => undefined, signal },
  );
  transcript.end({ isPrompt: false });
  return { how: 'ran', outcome, lines: transcript.lastLines };
}
