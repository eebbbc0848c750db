import { parseUrl } from '../../contract/parse-url.ts';
import { joinedPathFault } from './joined-path.ts';

/** An address in one form that client-go and Lanyard parse alike; or why it can't be compared. */
export type ServerUrl = { ok: true; url: string } | { ok: false; fault: string };

// What the URL standard and Go's net/url would read in two ways (backslash, tab, percent in the host, user
// names) has no place in a server's address: two readers, one token.
const plainUrl = /^([a-z][a-z0-9]*):\/\/(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?(\/[\x21-\x7e]*)?$/i;

/** Lower-case scheme and host, default port left out, no final slash, IPv6 in its short form. */
export function normalizeServerUrl(text: string): ServerUrl {
  const parts = plainUrl.exec(text);
  const url = parts && parseUrl(text);
  if (!url) {
    return { ok: false, fault: 'not a plain scheme://host:port address' };
  }
  const [, , host = '', , path = ''] = parts;
  if (/[?#\\]/.test(path)) {
    return { ok: false, fault: 'has a query, a fragment or a backslash' };
  }
  if (path !== '' && joinedPathFault(path) !== null) {
    return { ok: false, fault: 'has a dot segment in its path' };
  }
  // Only http and https have their host read as an address; 0x7f.1 and 127.1 would become 127.0.0.1.
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  if (isWeb && !host.startsWith('[') && url.hostname !== host.toLowerCase()) {
    return { ok: false, fault: 'has a host in an unusual form' };
  }
  const port = url.port === '' || url.port === defaultPorts[url.protocol] ? '' : `:${url.port}`;
  const place = `${url.protocol}//${url.hostname.toLowerCase()}${port}`;
  return { ok: true, url: `${place}${path.replace(/\/+$/, '')}` };
}

/** An address in the one spelling that is compared; one that can’t be compared, as it is. */
export function comparedUrl(text: string): string {
  const normalized = normalizeServerUrl(text);
  return normalized.ok ? normalized.url : text;
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443', 'socks5:': '1080' };
