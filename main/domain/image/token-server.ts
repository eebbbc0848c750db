import { isIP } from 'node:net';
import { isLoopbackHost } from '../../contract/config/url-rules.ts';
import { parseUrl } from '../../contract/parse-url.ts';
import { isClosedAddress } from './closed-addresses.ts';
import type { RegistryOrigin } from './registry-origin.ts';

/** Why a credential doesn’t go to the token server that a registry names. */
export type RealmFault =
  /** It is no URL of https or http, or too long. */
  | 'notUrl'
  | 'userInfo'
  /** Plain http, other than from a loopback registry to a loopback server. */
  | 'http'
  /** An address of this machine or its link, or a cloud’s metadata service, for a remote registry. */
  | 'closedAddress'
  /** Another host than the registry’s, which the user has not approved. */
  | 'unapproved';

export type JudgedRealm =
  | {
      ok: true;
      url: URL;
      /** The address that its name resolves to must not be a closed one (isClosedAddress). */
      checkAddress: boolean;
    }
  /** `authority`: host and port; null: there is none. */
  | { ok: false; fault: RealmFault; authority: string | null };

const longestRealm = 2048;

/** Registries whose token server is another host, by their operators’ documentation. */
const knownServers: ReadonlyMap<string, readonly string[]> = new Map([
  ['docker.io', ['auth.docker.io']],
  ['registry.gitlab.com', ['gitlab.com']],
]);

/**
 * Whether the token server that a registry names (`realm` of its Bearer challenge, in the token specification of
 * distribution) may get the credential. The realm is remote input: whoever answers for the registry chooses it
 * (rule: realm-trust). `approved`: the registry’s `tokenServers`, each a host or `host:port`.
 */
export function judgeRealm(
  realm: string,
  registry: RegistryOrigin,
  approved: readonly string[],
): JudgedRealm {
  const url = realm.length <= longestRealm && /^[\x21-\x7e]+$/.test(realm) ? parseUrl(realm) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') {
    return { ok: false, fault: 'notUrl', authority: null };
  }
  const denied = (fault: RealmFault): JudgedRealm => ({ ok: false, fault, authority: authorityOf(url) });
  if (url.username !== '' || url.password !== '') {
    return denied('userInfo');
  }
  const isLoopback = isLoopbackHost(url.hostname);
  if (url.protocol === 'http:' && !(isLoopback && registry.isLoopback)) {
    return denied('http');
  }
  url.hash = '';
  if (isOfRegistry(url, registry)) {
    return { ok: true, url, checkAddress: false };
  }
  if (!registry.isLoopback && namesClosedAddress(url)) {
    return denied('closedAddress');
  }
  const servers = [...(knownServers.get(registry.name) ?? []), ...approved];
  const isApproved =
    servers.some((server) => withPort(server, url) === withPort(url.host, url)) ||
    isAtDefaultPort(url, registry);
  return isApproved ? { ok: true, url, checkAddress: !registry.isLoopback } : denied('unapproved');
}

/** The very host and port that the registry itself answers at. */
function isOfRegistry(url: URL, { authority }: RegistryOrigin): boolean {
  return withPort(url.host, url) === withPort(authority, url);
}

/**
 * The registry’s host at https’ own port, as GitLab has it beside a registry at port 5050. Not on loopback: there each
 * program has a port.
 */
function isAtDefaultPort(url: URL, { authority, isLoopback }: RegistryOrigin): boolean {
  return !isLoopback && url.port === '' && url.hostname === new URL(`https://${authority}`).hostname;
}

function namesClosedAddress({ hostname }: URL): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '');
  const name = hostname.replace(/\.$/, '');
  return isIP(bare) === 0 ? name === 'localhost' || name.endsWith('.localhost') : isClosedAddress(bare);
}

/** For users: without the port that its scheme has anyway. */
function authorityOf({ host }: URL): string {
  return host.slice(0, 260);
}

function withPort(authority: string, { protocol }: URL): string {
  return /:\d+$/.test(authority) ? authority : `${authority}:${protocol === 'http:' ? 80 : 443}`;
}
