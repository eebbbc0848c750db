import { createHash } from 'node:crypto';
import type { OidcAccountConfig } from '../../contract/config/accounts/oidc.ts';

/** The redirect URI of a login on this machine (RFC 8252, 7.3), before a port is chosen. */
export interface RedirectPlace {
  /** As the account names it; null: 127.0.0.1, or [::1] where only that exists. */
  host: '127.0.0.1' | '[::1]' | 'localhost' | null;
  /** Exactly as registered; empty where the registered address ends with its host. */
  path: string;
  /** Tried in order; empty: any free port. */
  ports: readonly number[];
}

/**
 * The redirect URI of `config`: a separate path for each issuer, so that another provider's answer is not taken for
 * this one's (RFC 9700, 4.4.2.2); or the address that is registered at the provider (`redirectUri`).
 */
export function redirectPlace(
  config: Pick<OidcAccountConfig, 'issuer' | 'redirectUri' | 'redirectPorts'>,
): RedirectPlace {
  const { issuer, redirectUri, redirectPorts } = config;
  if (redirectUri === undefined) {
    return { host: null, path: issuerPath(issuer), ports: redirectPorts };
  }
  // The text itself: URL would add a slash that was not registered.
  const { hostname, port } = new URL(redirectUri);
  return {
    host: hostname as RedirectPlace['host'],
    path: /^http:\/\/[^/]*(.*)$/.exec(redirectUri)?.[1] ?? '',
    // URL omits the scheme's default port.
    ports: port === '' ? (/:80(\/|$)/.test(redirectUri) ? [80] : redirectPorts) : [Number(port)],
  };
}

/** The path of an issuer's logins; 80 bits of its digest. */
function issuerPath(issuer: string): string {
  return `/callback/${createHash('sha256').update(issuer).digest('hex').slice(0, 20)}`;
}

/** The address for the provider, with the port that was bound. */
export function redirectAddress(place: Pick<RedirectPlace, 'path'>, host: string, port: number): string {
  return `http://${host}:${port}${place.path}`;
}

/**
 * What has to be registered at the provider, as text; a loopback address without a port allows any port (RFC 8252,
 * 7.3).
 */
export function registeredAddress(
  config: Pick<OidcAccountConfig, 'issuer' | 'redirectUri' | 'redirectPorts'>,
): string {
  const { host, path, ports } = redirectPlace(config);
  return ports.length === 0
    ? (config.redirectUri ?? `http://127.0.0.1${path}`)
    : ports.map((port) => redirectAddress({ path }, host ?? '127.0.0.1', port)).join(' and ');
}
