import { tokenRevocation } from 'openid-client';
import { raceAbort } from '../../../base/abort.ts';
import type { Secret } from '../../../base/secret.ts';
import type { Revocation } from '../../../ports/history.ts';
import type { Log } from '../../../ports/log.ts';
import { pageAddress } from '../login/page-address.ts';
import type { KnownProvider, Provider } from '../provider/provider.ts';

/** How long the user waits for the provider at a logout. */
export const revocationMilliseconds = 5_000;

/** A token that may no longer be used, and its type (RFC 7009, 2.1). */
export interface Revocable {
  token: Secret;
  hint: 'refresh_token' | 'access_token';
}

/** Tells the provider that a token has ended (RFC 7009). Ends with `signal`; never throws. */
export async function revoke(
  of: {
    name: string;
    provider: Provider;
    /** As it was found, where that counts also while the vault is locked. */
    known?: ({ ok: true } & KnownProvider) | undefined;
    clientSecret: Secret | null;
    log: Log;
  },
  { token, hint }: Revocable,
  signal: AbortSignal,
): Promise<Revocation> {
  const { name, provider, clientSecret, log } = of;
  const failed = (code: string): Revocation => {
    log.warn('oidc.revocation.failed', { account: name, host: provider.host, code });
    return 'failed';
  };
  const presented = [token, clientSecret];
  try {
    const known = of.known ?? (await raceAbort(provider.know(), signal));
    if (!known.ok) {
      return failed(known.code);
    }
    if (known.metadata.revocation_endpoint === undefined) {
      return 'notOffered';
    }
    presented.push(known.proof.assertion);
    const configuration = provider.configure(known, clientSecret, (_url, send) => send(), signal);
    await raceAbort(tokenRevocation(configuration, token.reveal(), { token_type_hint: hint }), signal);
    return 'revoked';
  } catch (error) {
    const secrets = presented.filter((secret) => secret !== null);
    return failed(provider.refuse(error, 'revocation', secrets).code);
  }
}

/**
 * The provider’s page that ends its own session in the browser (RP-Initiated Logout 1.0); null: there is none that may
 * be opened (rule: safe-addresses). Without id_token_hint: a token must not be in an address.
 */
export async function endSessionUrl(
  provider: Provider,
  clientId: string,
  signal: AbortSignal,
): Promise<string | null> {
  const known = await raceAbort(provider.know(), signal).catch(() => null);
  const endpoint = known?.ok ? known.metadata.end_session_endpoint : undefined;
  const address = endpoint === undefined ? null : pageAddress(endpoint, provider.loopbackHttp);
  if (address === null) {
    return null;
  }
  const url = new URL(address);
  url.searchParams.set('client_id', clientId);
  return pageAddress(url.href, provider.loopbackHttp);
}
