import { BlockList, isIP } from 'node:net';
import { Secret } from '../../base/secret.ts';
import { isLoopbackHost } from '../../contract/config/url-rules.ts';
import { parseUrl } from '../../contract/parse-url.ts';

/** An HTTP proxy that connections are tunnelled through. */
export interface HttpProxy {
  secure: boolean;
  hostname: string;
  port: number;
  /** `user:password`, where the environment's address has them. */
  login: Secret | null;
  /** Host and port, for messages. */
  name: string;
}

export type ProxyChoice =
  | { kind: 'direct' }
  | { kind: 'proxy'; proxy: HttpProxy }
  /** The environment names something unusable: `name` is its host, or the variable. */
  | { kind: 'unusable'; name: string };

/** The variables that apply: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, in either case. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * How `address` is reached: by the account's own proxy, else by the environment's. As in Go's httpproxy, which
 * kubectl uses, so that both agree: loopback addresses are reached directly, and so are the entries of NO_PROXY:
 * hosts with all names under them (only those with a leading dot), IP addresses, networks, each also with a port.
 */
export function chooseProxy(
  address: URL,
  configured: string | undefined,
  environment: ProxyEnvironment,
): ProxyChoice {
  if (configured !== undefined) {
    return parseProxy(configured, 'proxyUrl');
  }
  const variable = address.protocol === 'http:' ? 'HTTP_PROXY' : 'HTTPS_PROXY';
  const [name, value] = [variable, 'ALL_PROXY']
    .map((name) => [name, variableOf(environment, name)] as const)
    .find(([, value]) => value !== '') ?? ['', ''];
  if (
    value === '' ||
    isLoopbackHost(address.hostname) ||
    isExcluded(address, variableOf(environment, 'NO_PROXY'))
  ) {
    return { kind: 'direct' };
  }
  return parseProxy(value, name);
}

function variableOf(environment: ProxyEnvironment, name: string): string {
  // Windows ignores case, so both may be the same.
  return (environment[name] || environment[name.toLowerCase()] || '').trim();
}

/**
 * A proxy's address as curl and Go read it, not the URL standard: the login is what stands before the last `@`, so that
 * no character of a password makes another host. Where the two differ, the one that takes the address counts; what both
 * refuse (`/`, `?` or `#` in a password) is unusable. `name`: where it is from. Of an address that can't be read nothing
 * is repeated: any part may be of a password (rule: no-secret-in-text).
 */
function parseProxy(text: string, name: string): ProxyChoice {
  const [, scheme = 'http', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(text) ?? [];
  const [authority = ''] = rest.split(/[/?#]/, 1);
  const at = authority.lastIndexOf('@');
  const place = authority.slice(at + 1);
  const isSplit = rest.slice(authority.length).includes('@');
  const secure = scheme.toLowerCase() === 'https';
  const whole = parseUrl(`${secure ? 'https' : 'http'}://${place}`);
  if (isSplit || place.includes('\\') || whole === null) {
    return { kind: 'unusable', name };
  }
  const { host, hostname, port: stated } = whole;
  const port = stated === '' ? (secure ? 443 : 80) : Number(stated);
  const login = loginOf(authority.slice(0, Math.max(at, 0)));
  if (!(secure || scheme.toLowerCase() === 'http') || login === null) {
    return { kind: 'unusable', name: host };
  }
  return {
    kind: 'proxy',
    proxy: {
      secure,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      login: login === ':' ? null : new Secret(login),
      name: `${hostname}:${port}`,
    },
  };
}

/** With its escapes decoded; a `%` that begins none is itself, as in curl. Null: control characters (RFC 7617, 2). */
function loginOf(text: string): string | null {
  const [user = ''] = text.split(':', 1);
  const both = [user, text.slice(user.length + 1)].map((part) => {
    const bytes = Buffer.from(part, 'utf8').toString('latin1');
    const decoded = bytes.replace(/%[0-9a-f]{2}/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    );
    return Buffer.from(decoded, 'latin1').toString('utf8');
  });
  const login = both.join(':');
  return /\p{Cc}/u.test(login) ? null : login;
}

function isExcluded(address: URL, list: string): boolean {
  const host = address.hostname.toLowerCase().replace(/^\[|\]$/g, '');
  const port = address.port || (address.protocol === 'http:' ? '80' : '443');
  return list
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .some((entry) => entry === '*' || matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry.includes('/')) {
    return isInNetwork(entry, host);
  }
  if (isIP(entry) !== 0) {
    return isInNetwork(`${entry}/${isIP(entry) === 4 ? 32 : 128}`, host);
  }
  const [, name = '', onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (onlyPort !== undefined && onlyPort !== port) {
    return false;
  }
  const bare = name.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0) {
    return isInNetwork(`${bare}/${isIP(bare) === 4 ? 32 : 128}`, host);
  }
  const domain = bare.replace(/^\*?\./, '');
  return domain !== '' && (host.endsWith(`.${domain}`) || (domain === bare && host === domain));
}

function isInNetwork(network: string, host: string): boolean {
  const [base = '', bits = ''] = network.split('/');
  const [family, hostFamily] = [isIP(base), isIP(host)];
  const prefix = /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (family === 0 || family !== hostFamily || !(prefix <= (family === 4 ? 32 : 128))) {
    return false;
  }
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const networks = new BlockList();
  networks.addSubnet(base, prefix, type);
  return networks.check(host, type);
}
