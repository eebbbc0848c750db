import type { Refusal } from '../contract/refusal.ts';
import type { Account, LoggedOut } from '../ports/account.ts';
import type { Directory } from '../ports/broker-core.ts';
import type { Recorder, Revocation } from '../ports/history.ts';

export interface LogOutDeps {
  directory: Pick<Directory, 'account'> & {
    /** Also an account with an unapproved change. */
    peekAccount(name: string): Account | null;
  };
  logins: { cancel(account: string, why: string): void; forget(account: string): void };
  grants: { forget(account: string): void };
  recorder: Recorder;
}

/** Ends an account's session: here at once, then at its provider. Whether anything may be done now is the caller's business. */
export async function logOut(
  name: string,
  { directory, logins, grants, recorder }: LogOutDeps,
): Promise<({ ok: true } & LoggedOut) | Refusal> {
  const found = directory.account(name);
  // Of a changed account too: ending the session must not need an approval of the change. Its tokens are then sent
  // nowhere: the address in config.yaml is not approved.
  const held = found.ok ? null : directory.peekAccount(name);
  if (!found.ok && !held) {
    return found;
  }
  const account = found.ok ? found.account : held;
  logins.cancel(name, `${name} was logged out`);
  // The cached credentials are dropped immediately, not when the provider has answered; and again when the session has
  // gone from the disk, for what was made from it in between.
  const leaving = account?.logout?.(() => grants.forget(name), { isHere: held !== null });
  grants.forget(name);
  const outcome = (await leaving) ?? nobody;
  recorder.record({
    kind: 'logout',
    account: name,
    hadSession: outcome.hadSession,
    revocation: outcome.revocation,
  });
  grants.forget(name);
  logins.forget(name);
  return { ok: true, ...outcome };
}

const nobody: LoggedOut = { hadSession: false, revocation: 'nothing', endSessionUrl: null };

/** What became of a session and its tokens, in a sentence or two. */
export function loggedOutText(
  name: string,
  { hadSession, revocation }: { hadSession: boolean; revocation: Revocation },
): string {
  if (!hadSession) {
    return `${name} was not logged in.`;
  }
  switch (revocation) {
    case 'revoked':
      return `Logged out of ${name}. The provider has revoked its tokens.`;
    case 'notOffered':
      return `Logged out of ${name}. The provider revokes no tokens: they expire there.`;
    case 'failed':
      return `Logged out of ${name} on this machine. Its tokens could not be revoked at the provider: they expire there.`;
    case 'nothing':
      return `Logged out of ${name}.`;
  }
}
