import type { Refusal } from '../../../contract/refusal.ts';
import { terminalPrompter } from '../../../grants/login-prompter.ts';
import type { Logins } from '../../../grants/logins.ts';
import type { Directory, Gate } from '../../../ports/broker-core.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import { type Command, done, parseWords, usageError } from '../command.ts';

/** How long a login may take before the helper gives up. */
const loginSeconds = 900;

export interface LoginCommandDeps {
  directory: Pick<Directory, 'account' | 'clusters'>;
  logins: Pick<Logins, 'login'>;
  gate: Gate;
}

/** `lanyard login ACCOUNT [--browser|--device|--paste]` */
export function loginCommand(deps: LoginCommandDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('login', call.args, ['ACCOUNT'], {
      browser: { type: 'boolean' },
      device: { type: 'boolean' },
      paste: { type: 'boolean' },
    });
    const ways = (['browser', 'device', 'paste'] as const).filter((way) => values[way]);
    if (ways.length > 1) {
      throw usageError('login', 'use one of --browser, --device and --paste');
    }
    const { canPrompt } = call.terminal;
    if (values.paste && !canPrompt) {
      throw usageError('login', '--paste asks for an address at a terminal, and there is none');
    }
    const name = positionals[0] ?? '';
    const flow = ways[0] ?? null;
    const refusal = deps.gate();
    if (refusal) {
      return refusalAnswer(refusal);
    }
    const found = deps.directory.account(name);
    if (!found.ok) {
      return refusalAnswer(withAccountOf(name, found, deps));
    }
    call.terminal.extend(loginSeconds);
    const outcome = await deps.logins.login(found.account, {
      prompter: terminalPrompter(name, call.terminal, { paste: canPrompt }),
      wish: { flow, atThisMachine: call.caller.origin === 'local', canBring: canPrompt },
      signal: call.signal,
    });
    if (!outcome.ok) {
      return refusalAnswer(outcome);
    }
    const note = outcome.note === null ? '' : `\nnote: ${outcome.note}`;
    return done(undefined, `Logged in to ${name} as ${outcome.displayName}.${note}`);
  };
}

/** People know their clusters; which account one uses is told where a cluster was named. */
function withAccountOf(name: string, refusal: Refusal, { directory }: LoginCommandDeps): Refusal {
  const cluster = directory.clusters().find((each) => each.name === name);
  return cluster && refusal.reason === 'notFound'
    ? {
        ...refusal,
        hint: `${name} is a cluster of the account ${cluster.config.account}, run: lanyard login ${cluster.config.account}`,
      }
    : refusal;
}
