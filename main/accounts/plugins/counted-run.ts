import type { HistoryEvent } from '../../ports/history.ts';
import type { RunOutcome } from '../../ports/program-runner.ts';

/** A run as client-go counts it (rest_client_exec_plugin_call_total). */
export type CountedRun = Pick<Extract<HistoryEvent, { kind: 'pluginRun' }>, 'callStatus' | 'exitCode'>;

/** What client-go says of a process that a signal ended. */
export const noExitCode = -1;

/** As client-go counts, a run with exit code 0 went well, whatever it printed. */
export function countedRun(outcome: RunOutcome): CountedRun {
  switch (outcome.how) {
    case 'exited':
      return outcome.code === 0
        ? { callStatus: 'no_error', exitCode: 0 }
        : { callStatus: 'plugin_execution_error', exitCode: outcome.code };
    case 'signalled':
    case 'interrupted':
    case 'tooLarge':
    case 'timedOut':
      return { callStatus: 'plugin_execution_error', exitCode: noExitCode };
    case 'notFound':
    case 'notStarted':
      return notFound;
    case 'noTerminal':
    case 'lost':
      return { callStatus: 'client_internal_error', exitCode: 1 };
  }
}

/** There is no program to run. */
export const notFound: CountedRun = { callStatus: 'plugin_not_found_error', exitCode: 1 };
