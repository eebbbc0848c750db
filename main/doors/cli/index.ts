import { toRefusal } from '../../contract/broker-error.ts';
import { cliRequest } from '../../contract/frames.ts';
import { refuse } from '../../contract/refusal.ts';
import { nearestNames } from '../../domain/text/nearest-name.ts';
import { type Door, refusalAnswer } from '../../ports/door.ts';
import type { Log } from '../../ports/log.ts';
import type { Command } from './command.ts';
import { plainAnswer, plainTerminal } from './plain-terminal.ts';

/** The command line: `lanyard …` as the helper passes it on. Help and `version` are the helper's own. */
export function createCliDoor(commands: ReadonlyMap<string, Command>, log: Log): Door {
  const door = createStyledDoor(commands, log);
  return async (request, context) =>
    context.terminal.styles
      ? door(request, context)
      : plainAnswer(await door(request, { ...context, terminal: plainTerminal(context.terminal) }));
}

/** Its texts may hold the marks of domain/text/style.ts. */
function createStyledDoor(commands: ReadonlyMap<string, Command>, log: Log): Door {
  return async (request, context) => {
    const parsed = cliRequest.safeParse(request);
    if (!parsed.success) {
      return refusalAnswer(refuse('internal', 'cli.request', 'the helper’s request can’t be read'));
    }
    const { args, cwd } = parsed.data;
    // The longest name counts: `account add` before `account`.
    const words = [args.slice(0, 2).join(' '), args[0] ?? ''].find((name) => commands.has(name));
    const command = words === undefined ? undefined : commands.get(words);
    if (!command || words === undefined) {
      return refusalAnswer(unknownCommand(args, [...commands.keys()]));
    }
    try {
      return await command({ ...context, args: args.slice(words.split(' ').length), cwd });
    } catch (error) {
      const refusal = toRefusal(error);
      if (refusal.reason === 'internal' && !context.signal.aborted) {
        log.error('cli.failed', { command: words, error });
      }
      return refusalAnswer(refusal);
    }
  };
}

function unknownCommand(args: readonly string[], known: readonly string[]) {
  const near = nearestNames(args.slice(0, 2).join(' '), known);
  return refuse(
    'usage',
    'cli.unknown',
    `there is no command "${args.slice(0, 2).join(' ')}"`,
    near.length > 0 ? `did you mean: lanyard ${near[0]}?` : 'lanyard --help lists the commands',
  );
}
