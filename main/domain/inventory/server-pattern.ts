import { BlockList, isIP } from 'node:net';
import { normalizeServerUrl } from '../server/server-url.ts';
import { partsBelow, type ServerPlace, serverPlace } from './server-place.ts';

/** An entry of an inventory’s `servers`, parsed. */
export type ServerPattern =
  /** `port` null: any. */
  | { kind: 'host'; host: string; port: string | null }
  /** All names below it, by whole labels. Begins with a dot. */
  | { kind: 'domain'; suffix: string; port: string | null }
  | { kind: 'network'; addresses: BlockList }
  /** No path: any. */
  | { kind: 'url'; above: ServerPlace };

export type ParsedPattern = { ok: true; pattern: ServerPattern } | { ok: false; fault: string };

const host = /^(?<host>\[[0-9a-f:.]+\]|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::(?<port>[1-9]\d{0,4}))?$/i;

/**
 * A host with or without a port, `*.DOMAIN`, addresses such as `10.0.0.0/8`, or an https:// URL whose path is a prefix
 * by whole parts. `fault` is what to write instead.
 */
export function parseServerPattern(text: string): ParsedPattern {
  if (text.includes('://')) {
    return urlPattern(text);
  }
  if (text.includes('/')) {
    return networkPattern(text);
  }
  const found = host.exec(text)?.groups;
  if (!found || Number(found['port'] ?? 1) > 65_535) {
    return fault(
      text.includes('*')
        ? 'a * stands for the names below a domain, as in *.example.com, and nowhere else'
        : 'expected a host, *.DOMAIN, addresses such as 10.0.0.0/8, or an https:// URL',
    );
  }
  const { host: name = '', port = null } = found;
  if (name.startsWith('*.')) {
    return isIP(name.slice(2)) === 0
      ? { ok: true, pattern: { kind: 'domain', suffix: name.slice(1).toLowerCase(), port } }
      : fault('an address has no names below it; write addresses as 10.0.0.0/8');
  }
  // In the one spelling that a server’s address has.
  const normal = normalizeServerUrl(`https://${name}`);
  return normal.ok
    ? { ok: true, pattern: { kind: 'host', host: new URL(normal.url).hostname, port } }
    : fault(`expected a plain host: ${normal.fault}`);
}

function urlPattern(text: string): ParsedPattern {
  const normal = normalizeServerUrl(text);
  if (!normal.ok) {
    return fault(`expected a plain https:// URL: ${normal.fault}`);
  }
  if (!normal.url.startsWith('https://')) {
    return fault('expected https://: a credential goes to no other server of a profile');
  }
  const above = serverPlace(normal.url);
  return above.path === null
    ? fault('expected a path without empty parts, and without escaped slashes, dots and percent signs')
    : { ok: true, pattern: { kind: 'url', above } };
}

function networkPattern(text: string): ParsedPattern {
  const [, address = '', length = ''] = /^([0-9a-f:.]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const family = isIP(address);
  if (family === 0 || Number(length) > (family === 4 ? 32 : 128)) {
    return fault('expected addresses such as 10.0.0.0/8; for a path write the whole https:// URL');
  }
  const addresses = new BlockList();
  addresses.addSubnet(address, Number(length), family === 4 ? 'ipv4' : 'ipv6');
  return { ok: true, pattern: { kind: 'network', addresses } };
}

/** Whether a server is one of the pattern’s. `server`: an https:// URL as `normalizeServerUrl` gives it. */
export function matchesServer(pattern: ServerPattern, server: string): boolean {
  const { protocol, hostname, port } = new URL(server);
  if (protocol !== 'https:') {
    return false;
  }
  const isPort = (wanted: string | null) => wanted === null || wanted === (port || '443');
  switch (pattern.kind) {
    case 'host':
      return hostname === pattern.host && isPort(pattern.port);
    case 'domain':
      return hostname.endsWith(pattern.suffix) && hostname !== pattern.suffix && isPort(pattern.port);
    case 'network': {
      const address = hostname.replace(/^\[|\]$/g, '');
      const family = isIP(address);
      return family !== 0 && pattern.addresses.check(address, family === 4 ? 'ipv4' : 'ipv6');
    }
    case 'url': {
      const [place, { above }] = [serverPlace(server), pattern];
      return above.path?.length === 0
        ? place.host === above.host && place.port === above.port
        : partsBelow(place, above) !== null;
    }
  }
}

function fault(text: string): ParsedPattern {
  return { ok: false, fault: text };
}
