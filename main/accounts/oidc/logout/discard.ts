import type { Secret } from '../../../base/secret.ts';
import type { Log } from '../../../ports/log.ts';
import type { Vault } from '../../../ports/vault.ts';
import type { Provider } from '../provider/provider.ts';
import { clientSecretOf } from '../session.ts';
import { revocationMilliseconds, revoke } from './revoke.ts';

/**
 * A refresh token came for a session that a person has meanwhile logged out of: it is revoked, so that nothing of it
 * lives on. Not where somebody is logged in again: with many providers both logins are of one session over there.
 * Never throws.
 */
export async function discard(
  deps: { name: string; provider: Provider; vault: Pick<Vault, 'read'>; log: Log },
  refreshToken: Secret | null,
): Promise<void> {
  const { name, provider, vault, log } = deps;
  try {
    const content = vault.read();
    if (refreshToken && !Object.hasOwn(content.sessions, name)) {
      const of = { name, provider, clientSecret: clientSecretOf(content, name), log };
      await revoke(
        of,
        { token: refreshToken, hint: 'refresh_token' },
        AbortSignal.timeout(revocationMilliseconds),
      );
    }
  } catch {
    // Locked meanwhile: the client's secret can't be read, and the token is nowhere on this machine.
    log.warn('oidc.revocation.failed', { account: name, host: provider.host, code: 'vault.locked' });
  }
}
