import { parseUrl } from '../../contract/parse-url.ts';
import { withoutLogin } from '../text/plain-address.ts';
import { visibleText } from '../text/visible-text.ts';

/** A registry’s server as docker and others name it, parsed. */
export interface RegistryServer {
  /** `https` also where the client named none. */
  scheme: 'https' | 'http';
  /** In lower case; an IPv6 address in brackets. */
  host: string;
  port: number | null;
  /** Without the slash at its end; empty: none. */
  path: string;
  /** Names the entry: equal for all spellings of one server, such as Docker Hub’s four names. */
  key: string;
}

export type ParsedServer = { ok: true; server: RegistryServer } | { ok: false; message: string };

const longestUrl = 2048;
const longestHost = 253;
const hostName = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/;

/**
 * Docker Hub’s names. docker asks for `https://index.docker.io/v1/`, podman and skopeo for `docker.io`, oras and helm for
 * the first, too. `…/v1/access-token` and `…/v1/refresh-token` are entries of docker’s own beside it.
 */
const hubHosts: readonly string[] = ['docker.io', 'index.docker.io', 'registry-1.docker.io'];
const hubPaths: readonly string[] = ['', '/v1', '/v2'];
const hubKey = 'docker.io';

/**
 * Parses what a client wrote: a host (`ghcr.io`, `localhost:5000`) or a URL of http or https. Query and fragment name
 * nothing and are dropped, as in docker-credential-helpers’ registryurl. `http` is another server than `https`: what
 * was stored for one is not sent over the other.
 */
export function parseServer(text: string): ParsedServer {
  if (text.length > longestUrl) {
    return refused(`is longer than ${longestUrl} characters`);
  }
  if (!/^[\x21-\x7e]*$/.test(text)) {
    return refused('has characters that no URL has');
  }
  const [, named, rest = ''] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?\/\/(.*)$/.exec(text) ?? [
    null,
    undefined,
    text,
  ];
  const scheme = named?.toLowerCase() ?? 'https';
  if (scheme !== 'https' && scheme !== 'http') {
    return refused(`has the scheme ${scheme.slice(0, 32)}: only https and http are supported`);
  }
  const [, authority = '', after = ''] = /^([^/?#]*)(.*)$/.exec(rest) ?? [];
  if (authority.includes('@')) {
    return refused('has a user name or a password in it');
  }
  const [, bare = '', portText] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(authority) ?? [];
  const host = bare.startsWith('[') ? addressOf(bare) : bare.toLowerCase();
  if (host === null || host.length > longestHost || !(host.startsWith('[') || hostName.test(host))) {
    return refused('names no host');
  }
  const port = portText === undefined ? null : portOf(portText);
  if (port === undefined) {
    return refused('has a port that is no number from 1 to 65535');
  }
  const path = after.replace(/[?#].*$/, '').replace(/\/+$/, '');
  return { ok: true, server: { scheme, host, port, path, key: keyOf(scheme, host, port, path) } };
}

function keyOf(scheme: RegistryServer['scheme'], host: string, port: number | null, path: string): string {
  if (scheme === 'https' && port === null && hubHosts.includes(host) && hubPaths.includes(path)) {
    return hubKey;
  }
  return `${scheme === 'http' ? 'http://' : ''}${host}${port === null ? '' : `:${port}`}${path}`;
}

/** One spelling of an IPv6 address in brackets; null: it is none. */
function addressOf(bracketed: string): string | null {
  return parseUrl(`http://${bracketed}`)?.hostname ?? null;
}

function portOf(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/** Never with the text itself: it may hold a password. */
function refused(why: string): { ok: false; message: string } {
  return { ok: false, message: `the server URL ${why}` };
}

/** A server’s name in a file, for display: without the user name and password that its URL may have. */
export function shownServer(text: string): string {
  return visibleText(withoutLogin(text), 300);
}

/** The host and port for which docker uses an entry of `auths` (docker/cli: `ConvertToHostname`). */
export function hostOf(server: string): string {
  const [, authority] = /:\/\/([^/?#]*)/.exec(server) ?? [];
  return authority === undefined
    ? (server.split('/', 1)[0] ?? '')
    : authority.slice(authority.lastIndexOf('@') + 1);
}
