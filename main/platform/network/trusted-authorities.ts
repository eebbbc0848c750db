import { getCACertificates } from 'node:tls';

/**
 * The CAs that count where none is named, as PEM: Node's own list and the system's, where a company's CA is.
 * Undefined where Node can't tell the system's (before 22.15): its own list counts there.
 */
export function trustedAuthorities(): string[] | undefined {
  return typeof getCACertificates === 'function'
    ? [...new Set([...getCACertificates('default'), ...getCACertificates('system')])]
    : undefined;
}
