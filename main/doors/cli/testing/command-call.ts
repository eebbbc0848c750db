import { Secret } from '../../../base/secret.ts';
import type { Caller } from '../../../ports/caller.ts';
import { aCaller } from '../../../ports/testing/a-caller.ts';
import { aTerminal } from '../../../ports/testing/a-terminal.ts';
import type { CommandCall } from '../command.ts';

/** A command's call by a user at this machine, with `stdin` on standard input. */
export function commandCall(
  args: string[],
  given: { stdin?: string; origin?: Caller['origin'] } = {},
): CommandCall {
  return {
    args,
    cwd: '/',
    caller: aCaller({
      uid: 0,
      pid: 1,
      startTime: '1',
      executable: null,
      executableId: null,
      origin: given.origin ?? 'local',
    }),
    lineage: () => [],
    ancestors: () => [],
    terminal: aTerminal({
      readStdin: async () => (given.stdin === undefined ? null : new Secret(given.stdin)),
    }),
    signal: new AbortController().signal,
  };
}
