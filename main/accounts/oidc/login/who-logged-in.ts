import { decodeJwt } from 'jose';
import { fetchUserInfo, skipSubjectCheck } from 'openid-client';
import type { Secret } from '../../../base/secret.ts';
import type { OidcAccountConfig } from '../../../contract/config/accounts/oidc.ts';
import type { Log } from '../../../ports/log.ts';
import type { KnownProvider, Provider } from '../provider/provider.ts';
import type { TokenSet } from '../provider/token-request.ts';

/** The user, as the provider knows them. */
export interface Who {
  subject: string;
  /** For display. */
  claims: Record<string, unknown>;
}

/**
 * Who logged in: as the id token says; where the provider sent none (Spring's device grant), as its userinfo endpoint
 * says of the access token, or the access token itself, signed by the provider. Null: nothing tells.
 */
export async function whoLoggedIn(
  of: {
    name: string;
    config: Pick<OidcAccountConfig, 'issuer'>;
    provider: Provider;
    known: { ok: true } & KnownProvider;
    clientSecret: Secret | null;
    log: Log;
  },
  { claims, accessToken }: TokenSet,
): Promise<Who | null> {
  if (claims) {
    return { subject: claims.sub, claims: { ...claims } };
  }
  return (await byUserInfo()) ?? byToken();

  async function byUserInfo(): Promise<Who | null> {
    const { name, provider, known, clientSecret, log } = of;
    if (known.metadata.userinfo_endpoint === undefined) {
      return null;
    }
    try {
      const configuration = provider.configure(known, clientSecret, (_url, send) => send());
      return asWho(await fetchUserInfo(configuration, accessToken.reveal(), skipSubjectCheck));
    } catch (error) {
      const { code } = provider.refuse(error, 'userinfo', [accessToken]);
      log.warn('oidc.userinfo.failed', { account: name, host: provider.host, code });
      return null;
    }
  }

  async function byToken(): Promise<Who | null> {
    try {
      const token = accessToken.reveal();
      const said = decodeJwt(token);
      if (said.iss !== of.config.issuer) {
        return null;
      }
      await of.known.checkSignature(token);
      return asWho(said);
    } catch {
      return null; // no JWT, or none that the provider's published keys signed
    }
  }
}

function asWho(claims: Readonly<Record<string, unknown>>): Who | null {
  const { sub } = claims;
  return typeof sub === 'string' && sub.trim() !== '' ? { subject: sub, claims: { ...claims } } : null;
}
