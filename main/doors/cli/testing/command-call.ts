import { Secret } from '../../../base/secret.ts';
import type { Caller } from '../../../ports/caller.ts';
import type { CommandCall } from '../command.ts';

/** A command's call by a user at this machine, with `stdin` on standard input. */
export function commandCall(
  args: string[],
  given: { stdin?: string; origin?: Caller['origin'] } = {},
): CommandCall {
  return {
    args,
    cwd: '/',
    caller: {
      uid: 0,
      pid: 1,
      startTime: '1',
      executable: null,
      executableId: null,
      session: null,
      pidNamespace: null,
      origin: given.origin ?? 'local',
      hasTerminal: true,
      sure: true,
    },
    lineage: () => [],
    ancestors: () => [],
    terminal: {
      canPrompt: false,
      print: () => undefined,
      writeStdout: () => true,
      ask: async () => null,
      environment: async () => null,
      readStdin: async () => (given.stdin === undefined ? null : new Secret(given.stdin)),
      runner: null,
      canLend: false,
      extend: () => undefined,
    },
    signal: new AbortController().signal,
  };
}
