import type { LoggedIn, Obtained } from '../../../ports/account.ts';
import { displayName, displayText } from '../display-text.ts';
import { loginNeeded, sessionOf } from '../session.ts';
import type { LoginDeps } from './login.ts';

/**
 * The user has given the PIN of the client’s key, and that may be all that was missing: the session is renewed with it. Null:
 * there is none that can be, so a login is needed.
 */
export async function renewUnlocked(
  { name, config, vault }: Pick<LoginDeps, 'name' | 'config' | 'vault'>,
  renew: () => Promise<Obtained>,
): Promise<LoggedIn | null> {
  const session = sessionOf(vault.read(), name, config);
  if (!session || loginNeeded(name, session, config)) {
    return null;
  }
  const renewed = await renew();
  if (!renewed.ok) {
    return renewed.reason === 'loginNeeded' ? null : renewed;
  }
  return {
    ok: true,
    subject: displayText(session.subject),
    displayName: displayName(session.claims, session.subject),
    issuer: session.issuer,
    flow: 'pin',
    note: null,
  };
}
