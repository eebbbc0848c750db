import { exitCodes } from '../../contract/exit-codes.ts';
import { visibleText } from '../../domain/visible-text.ts';
import type { Grants } from '../../grants/grants.ts';
import type { Logins } from '../../grants/logins.ts';
import type { Account, LoggedOut } from '../../ports/account.ts';
import type { Directory, Gate } from '../../ports/broker-core.ts';
import type { Browser } from '../../ports/browser.ts';
import type { Recorder, Revocation } from '../../ports/history.ts';
import { type DoorAnswer, refusalAnswer } from '../door.ts';
import { type Command, type CommandCall, parseWords } from './command.ts';

/** How long the provider may keep a logout waiting, with room for a renewal that is under way. */
const logoutSeconds = 30;

export interface LogoutCommandDeps {
  directory: Pick<Directory, 'account'> & {
    /** Also an account whose change nobody has confirmed. */
    peekAccount(name: string): Account | null;
  };
  logins: Pick<Logins, 'cancel' | 'forget'>;
  grants: Pick<Grants, 'forget'>;
  gate: Gate;
  recorder: Recorder;
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
    const found = deps.directory.account(name);
    // Of a changed account, too: nobody should have to confirm a change to be rid of the session.
    const held = found.ok ? null : deps.directory.peekAccount(name);
    if (!found.ok && !held) {
      return refusalAnswer(found);
    }
    const account = found.ok ? found.account : held;
    deps.logins.cancel(name, `${name} was logged out`);
    call.terminal.extend(logoutSeconds);
    // What is held in memory goes at once, not when the provider has answered; and again when the session has gone
    // from the disk, for what was made of it in between.
    const leaving = account?.logout?.(() => deps.grants.forget(name));
    deps.grants.forget(name);
    const outcome = (await leaving) ?? nobody;
    const { hadSession, revocation } = outcome;
    deps.recorder.record({ kind: 'logout', account: name, hadSession, revocation });
    deps.grants.forget(name);
    deps.logins.forget(name);
    const lines = [
      hadSession ? loggedOutText(name, revocation) : `${name} was not logged in.`,
      ...(values.everywhere ? [await everywhereText(deps, call, outcome)] : []),
    ];
    return { code: exitCodes.good, stderr: `${lines.join('\n')}\n` };
  };
}

const nobody: LoggedOut = { hadSession: false, revocation: 'nothing', endSessionUrl: null };

function loggedOutText(name: string, revocation: Revocation): string {
  switch (revocation) {
    case 'revoked':
      return `Logged out of ${name}. The provider has revoked its tokens.`;
    case 'notOffered':
      return `Logged out of ${name}. The provider revokes no tokens: they end there by themselves.`;
    case 'failed':
      return `Logged out of ${name} on this machine. Its tokens could not be revoked at the provider: they end there by themselves.`;
    case 'nothing':
      return `Logged out of ${name}.`;
  }
}

async function everywhereText(
  { browser }: LogoutCommandDeps,
  call: CommandCall,
  { hadSession, endSessionUrl }: LoggedOut,
): Promise<string> {
  if (endSessionUrl === null) {
    return hadSession
      ? 'The provider names no page that ends its session in the browser, too.'
      : 'Nothing is known of a session at the provider: end it on the provider’s own page.';
  }
  // Somebody who sits elsewhere doesn't see this machine's display.
  const opened = call.caller.origin === 'local' && browser.available() && (await browser.open(endSessionUrl));
  return opened
    ? 'The provider’s page that ends its session was opened in the browser.'
    : `End the provider’s own session in the browser at: ${visibleText(endSessionUrl, Infinity)}`;
}
