import { isIPv4, isIPv6 } from 'node:net';
import { goQuoteBytes } from '../decode/go-quote.ts';
import { decodeEscapes, UrlError } from './url-escapes.ts';

/** What of a URL counts here, in bytes (`toBytes`). */
export interface GoUrl {
  /** With the port. */
  host: string;
  path: string;
}

export type ParsedUrl = { ok: true; url: GoUrl } | { ok: false; message: string };

/**
 * A URL that begins with `http://` or `https://`, in bytes, as Go 1.26’s url.Parse reads it, with its errors (of an IP
 * address without the reason): user name, query and fragment are dropped, escapes are decoded, the case stays.
 */
export function parseUrl(bytes: string): ParsedUrl {
  const [rest = ''] = bytes.split('#', 1);
  const fragment = bytes.slice(rest.length + 1);
  let parsed = rest;
  try {
    const url = parse(rest);
    parsed = bytes;
    decodeEscapes(fragment, 'text');
    return { ok: true, url };
  } catch (error) {
    if (error instanceof UrlError) {
      return { ok: false, message: `parse ${goQuoteBytes(parsed)}: ${error.message}` };
    }
    throw error;
  }
}

function parse(bytes: string): GoUrl {
  if (/[^\x20-\x7e\x80-\xff]/.test(bytes)) {
    throw new UrlError('net/url: invalid control character in URL');
  }
  const [before = ''] = bytes.split('?', 1);
  const [, authority = '', path = ''] = /^https?:\/\/([^/]*)(.*)$/.exec(before) ?? [];
  const at = authority.lastIndexOf('@');
  const host = parseHost(authority.slice(at + 1));
  if (at >= 0) {
    checkUser(authority.slice(0, at));
  }
  return { host, path: decodeEscapes(path, 'text') };
}

function checkUser(user: string): void {
  if (!/^[\w\-.:~!$&'()*+,;=%@]*$/.test(user)) {
    throw new UrlError('net/url: invalid userinfo');
  }
  const [name = ''] = user.split(':', 1);
  decodeEscapes(name, 'text');
  decodeEscapes(user.slice(name.length), 'text');
}

function parseHost(host: string): string {
  const open = host.lastIndexOf('[');
  if (open > 0) {
    throw new UrlError('invalid IP-literal');
  }
  if (open === 0) {
    return parseLiteral(host);
  }
  const colon = host.indexOf(':');
  if (colon >= 0) {
    checkPort(host.slice(colon));
  }
  return decodeEscapes(host, 'host');
}

/** An address in brackets (RFC 3986), with a zone (RFC 6874). */
function parseLiteral(host: string): string {
  const close = host.lastIndexOf(']');
  if (close < 0) {
    throw new UrlError("missing ']' in host");
  }
  const port = host.slice(close + 1);
  checkPort(port);
  const inside = host.slice(1, close);
  const zone = inside.indexOf('%25');
  const address =
    zone < 0
      ? decodeEscapes(inside, 'host')
      : decodeEscapes(inside.slice(0, zone), 'host') + decodeEscapes(inside.slice(zone), 'zone');
  const [number = '', ...named] = address.split('%');
  if (isIPv4(address)) {
    throw new UrlError('invalid IP-literal');
  }
  if (!isIPv6(number) || (named.length > 0 && named.join('%') === '')) {
    throw new UrlError(`invalid host: ParseAddr(${goQuoteBytes(address)}): unable to parse IP`);
  }
  return `[${address}]${port}`;
}

function checkPort(port: string): void {
  if (!/^(?::[0-9]*)?$/.test(port)) {
    throw new UrlError(`invalid port ${goQuoteBytes(port)} after host`);
  }
}

/** As net.SplitHostPort; what it refuses has no port. */
export function splitHostPort(bytes: string): { host: string; port: string } {
  const whole = { host: bytes, port: '' };
  const colon = bytes.lastIndexOf(':');
  const host = bytes.slice(0, Math.max(colon, 0));
  const port = bytes.slice(colon + 1);
  if (colon < 0) {
    return whole;
  }
  if (bytes.startsWith('[')) {
    const end = bytes.indexOf(']');
    return end + 1 === colon && !bytes.slice(1).includes('[') ? { host: bytes.slice(1, end), port } : whole;
  }
  return /[:[\]]/.test(host + port) ? whole : { host, port };
}
