import { BlockList, isIP } from 'node:net';
import { Secret } from '../../base/secret.ts';
import { isLoopbackHost } from '../../contract/config/url-rules.ts';

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

function parseProxy(text: string, name: string): ProxyChoice {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  // Nothing of an unreadable address is repeated: it may contain a password.
  if (!URL.canParse(whole)) {
    return { kind: 'unusable', name };
  }
  const url = new URL(whole);
  if (!['http:', 'https:'].includes(url.protocol)) {
    return { kind: 'unusable', name: url.host || name };
  }
  const secure = url.protocol === 'https:';
  const login = loginOf(url);
  if (login === null) {
    return { kind: 'unusable', name: url.host };
  }
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  return {
    kind: 'proxy',
    proxy: {
      secure,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port,
      login: login === ':' ? null : new Secret(login),
      name: `${url.hostname}:${port}`,
    },
  };
}

/** Null: its percent-encoding is invalid. */
function loginOf({ username, password }: URL): string | null {
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    return null;
  }
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
