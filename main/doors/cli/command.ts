import { parseArgs } from 'node:util';
import { BrokerError } from '../../contract/broker-error.ts';
import { exitCodes } from '../../contract/exit-codes.ts';
import { argumentFault } from '../../domain/text/argument-fault.ts';
import { plainJson } from '../../domain/text/plain-json.ts';
import { type DoorAnswer, type DoorContext, refusalAnswer } from '../../ports/door.ts';

/** What a command gets: the words after its name, the folder that they are relative to, and the user. */
export interface CommandCall extends DoorContext {
  args: string[];
  cwd: string;
}

/** One command of `lanyard …`. Throws BrokerError for the user's mistakes. */
export type Command = (call: CommandCall) => Promise<DoorAnswer>;

type OptionSpecs = Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>;

/**
 * Splits a command’s words into positionals, named in `positionals` for messages, and options. A name such as `[NAME]`
 * is optional, `[FILE …]` may repeat; these come last. Throws BrokerError (reason usage) for anything else.
 */
export function parseWords<const T extends OptionSpecs>(
  command: string,
  args: string[],
  positionals: readonly string[],
  options: T,
) {
  let parsed: ReturnType<
    typeof parseArgs<{ args: string[]; options: T; strict: true; allowPositionals: true }>
  >;
  try {
    parsed = parseArgs({ args, options, strict: true, allowPositionals: true });
  } catch (error) {
    throw usageError(command, argumentFault(error));
  }
  const needed = positionals.filter((name) => !name.startsWith('['));
  if (parsed.positionals.length < needed.length) {
    throw usageError(command, `missing argument: ${needed.slice(parsed.positionals.length).join(', ')}`);
  }
  const most = positionals.some((name) => name.endsWith('…]')) ? Infinity : positionals.length;
  if (parsed.positionals.length > most) {
    throw usageError(command, `unexpected argument "${parsed.positionals[most]}"`);
  }
  return parsed;
}

export function usageError(command: string, what: string): BrokerError {
  return new BrokerError('cli.usage', `${command}: ${what}`, {
    reason: 'usage',
    hint: `see: lanyard ${command} --help`,
  });
}

/** Success: the text for stdout, and a message for the user on stderr. */
export function done(stdout?: string, stderr?: string): DoorAnswer {
  return {
    code: exitCodes.good,
    ...(stdout !== undefined && { stdout: `${stdout}\n` }),
    ...(stderr !== undefined && { stderr: `${stderr}\n` }),
  };
}

/** A dry run: the plan, and the end that the run would come to. */
export function planned(stdout: string, refused: BrokerError | null): DoorAnswer {
  return { ...done(stdout), ...(refused && refusalAnswer(refused.toRefusal())) };
}

/** For programs: without styles, and nothing in it is taken for one. */
export function json(value: unknown): string {
  return plainJson(JSON.stringify(value, null, 2));
}

/** An answer that is neither yes nor no is asked for again. */
const mostTries = 3;

/** Asks for yes or no. No is the default, also without a terminal. `wholeWord`: y isn’t enough. */
export async function askYes(
  call: Pick<CommandCall, 'terminal'>,
  question: string,
  { wholeWord = false } = {},
): Promise<boolean> {
  const [choice, rule] = wholeWord ? ['[yes/No]', 'Type yes in full, or no.'] : ['[y/N]', 'Type y or n.'];
  const isYes = wholeWord ? /^yes$/i : /^y(es)?$/i;
  for (let tries = 1; ; tries += 1) {
    const answer = await call.terminal.ask(`${question} ${choice} `, { echo: true });
    const text = answer?.reveal().trim() ?? '';
    if (isYes.test(text) || /^(no?)?$/i.test(text) || tries === mostTries) {
      return isYes.test(text);
    }
    call.terminal.print(`${rule}\n`);
  }
}

/** The call as something that a file's lock is waited for with. */
export function waitingOf({ signal, terminal }: Pick<CommandCall, 'signal' | 'terminal'>) {
  return { signal, say: (sentence: string) => terminal.print(`lanyard: ${sentence}\n`) };
}
