import type { Secret } from '../../../base/secret.ts';
import type { OidcAccountConfig } from '../../../contract/config/accounts/oidc.ts';
import type { Revocation } from '../../../ports/history.ts';
import type { Log } from '../../../ports/log.ts';
import type { Session, Vault } from '../../../ports/vault.ts';
import type { KnownProvider, Provider } from '../provider/provider.ts';
import { clientSecretOf, sessionOf } from '../session.ts';
import { type Revocable, revocationMilliseconds, revoke } from './revoke.ts';

export interface DiscardDeps {
  name: string;
  config: OidcAccountConfig;
  provider: Provider;
  vault: Pick<Vault, 'read'>;
  log: Log;
}

/** What a provider issued, and won't be used here. */
export interface Unwanted {
  token: Revocable | null;
  /** Whose it is, as far as the provider said; null: it didn't. */
  subject: string | null;
  /** As it was when the tokens were asked for: counts while the vault is locked. */
  before?: { session: Session | null; clientSecret: Secret | null; known: { ok: true } & KnownProvider };
}

/**
 * Left alone as it is, or may be (`unclear`: the provider didn't say whose it is), of the same session over there as
 * the account's own; else what became of it.
 */
export type Discarded = Revocation | 'kept' | 'unclear';

/**
 * Revokes the tokens of a session that isn't kept, once and within a few seconds, so that nothing of it lives on at
 * the provider. Not where the account has a session of the same user: with many providers both logins share one
 * session there (Keycloak: one per browser; Google, Auth0: one per user and client), and it would end too. Never
 * throws.
 */
export async function discard(
  { name, config, provider, vault, log }: DiscardDeps,
  { token, subject, before }: Unwanted,
): Promise<Discarded> {
  if (!token) {
    return 'nothing';
  }
  const now = read() ?? before;
  if (!now) {
    // Locked meanwhile: the client's secret can't be read, and the token is nowhere on this machine.
    log.warn('oidc.revocation.failed', { account: name, host: provider.host, code: 'vault.locked' });
    return 'failed';
  }
  if (now.session && (subject === null || subject === now.session.subject)) {
    return subject === null ? 'unclear' : 'kept';
  }
  const of = { name, provider, known: before?.known, clientSecret: now.clientSecret, log };
  return revoke(of, token, AbortSignal.timeout(revocationMilliseconds));

  function read() {
    try {
      const content = vault.read();
      return { session: sessionOf(content, name, config), clientSecret: clientSecretOf(content, name) };
    } catch {
      return null;
    }
  }
}
