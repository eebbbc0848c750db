import { exitCodes } from '../../../contract/exit-codes.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { type LogOutDeps, loggedOutText, logOut } from '../../../operations/log-out.ts';
import type { LoggedOut } from '../../../ports/account.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import type { Browser } from '../../../ports/browser.ts';
import { type DoorAnswer, refusalAnswer } from '../../../ports/door.ts';
import { type Command, type CommandCall, parseWords } from '../command.ts';

/** How long the provider may keep a logout waiting, with room for a renewal that is under way. */
const logoutSeconds = 30;

export interface LogoutCommandDeps extends LogOutDeps {
  gate: Gate;
  browser: Browser;
}

/** `lanyard logout ACCOUNT [--everywhere]` */
export function logoutCommand(deps: LogoutCommandDeps): Command {
  return async (call): Promise<DoorAnswer> => {
    const { positionals, values } = parseWords('logout', call.args, ['ACCOUNT'], {
      everywhere: { type: 'boolean' },
    });
    const name = positionals[0] ?? '';
    const refusal = deps.gate();
    if (refusal) {
      return refusalAnswer(refusal);
    }
    call.terminal.extend(logoutSeconds);
    const outcome = await logOut(name, deps);
    if (!outcome.ok) {
      return refusalAnswer(outcome);
    }
    const lines = [
      loggedOutText(name, outcome),
      ...(values.everywhere ? [await everywhereText(deps, call, outcome)] : []),
    ];
    return { code: exitCodes.good, stderr: `${lines.join('\n')}\n` };
  };
}

async function everywhereText(
  { browser }: LogoutCommandDeps,
  call: CommandCall,
  { hadSession, endSessionUrl, browser: program }: LoggedOut,
): Promise<string> {
  if (endSessionUrl === null) {
    return hadSession
      ? 'The provider names no page that ends its session in the browser, too.'
      : 'Log out on the provider’s website to end that session.';
  }
  // A user who sits elsewhere doesn't see this machine's display.
  const opened =
    call.caller.origin === 'local' && browser.available() && (await browser.open(endSessionUrl, program));
  return opened
    ? 'The provider’s page that ends its session was opened in the browser.'
    : `End the provider’s own session in the browser at: ${visibleText(endSessionUrl, Infinity)}`;
}
