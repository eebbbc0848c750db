import { raceAbort } from '../../../base/abort.ts';
import type { Secret } from '../../../base/secret.ts';
import type { OidcAccountConfig } from '../../../contract/config/accounts/oidc.ts';
import type { LoggedOut } from '../../../ports/account.ts';
import type { Revocation } from '../../../ports/history.ts';
import type { Log } from '../../../ports/log.ts';
import type { Session, Vault } from '../../../ports/vault.ts';
import type { Provider } from '../provider/provider.ts';
import type { UnsavedAnswer } from '../renewal/save-answer.ts';
import { clientSecretOf, sessionOf, withSession } from '../session.ts';
import { endSessionUrl, type Revocable, revocationMilliseconds, revoke } from './revoke.ts';

export interface LogoutDeps {
  name: string;
  config: OidcAccountConfig;
  provider: Provider;
  vault: Pick<Vault, 'read' | 'update'>;
  log: Log;
  unsaved: UnsavedAnswer;
  /** The renewal that is under way; null: none. */
  renewal(): Promise<unknown> | null;
  /** Called when the session is gone from the disk. */
  onForgotten(): void;
  /** The provider is told nothing. */
  isHere?: boolean | undefined;
}

/**
 * Removes the session from disk first, in both generations; then tells the provider, within a few seconds. A failure
 * there undoes nothing. Waits for a renewal under way: `discard` revokes its refresh token, since the session is gone.
 */
export async function logOut(deps: LogoutDeps): Promise<LoggedOut> {
  const { name, config, provider, vault, log, unsaved } = deps;
  let before: Session | null = null;
  let own = false;
  await vault.update(
    (content) => {
      before = Object.hasOwn(content.sessions, name) ? (content.sessions[name] ?? null) : null;
      own = sessionOf(content, name, config) !== null;
      return withSession(content, name, null);
    },
    { bothGenerations: true },
  );
  deps.onForgotten();
  const late = unsaved.refreshToken;
  unsaved.save = null;
  unsaved.refreshToken = null;
  const session = before as Session | null;
  if (!session) {
    return { hadSession: false, revocation: 'nothing', endSessionUrl: null };
  }
  if (!own || deps.isHere) {
    // Of another issuer or client than the configured one: its secrets must not be shown to this one. Nor may it go
    // through a proxy or an authority that was not approved.
    return { hadSession: true, revocation: 'failed', endSessionUrl: null };
  }
  const signal = AbortSignal.timeout(revocationMilliseconds);
  const clientSecret = clientSecretOf(vault.read(), name);
  const running = deps.renewal();
  if (running) {
    await raceAbort(running, signal).catch(() => undefined);
  }
  // The token that the renewal used up is revoked, too: where the provider rotates, revoking it revokes its family.
  const revocable = revocableOf(session, config.token, late);
  const revocation: Revocation = revocable
    ? await revoke({ name, provider, clientSecret, log }, revocable, signal)
    : 'nothing';
  return {
    hadSession: true,
    revocation,
    endSessionUrl: await endSessionUrl(provider, config.clientId, signal),
    browser: config.browser,
  };
}

/** An id token can't be revoked: it expires. */
function revocableOf(
  { refreshToken, token, accessToken }: Session,
  kind: OidcAccountConfig['token'],
  late: Secret | null,
): Revocable | null {
  const newest = late ?? refreshToken;
  if (newest) {
    return { token: newest, hint: 'refresh_token' };
  }
  const access = kind === 'access' ? token : accessToken;
  return access && { token: access.value, hint: 'access_token' };
}
