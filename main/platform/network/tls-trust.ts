import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type {
  ConnectionOptions,
  DetailedPeerCertificate,
  PeerCertificate,
  SecureContextOptions,
} from 'node:tls';
import { trustedAuthorities } from './trusted-authorities.ts';

/** What Node's TLS is told about servers' certificates; `checkServerIdentity` belongs to the connection. */
export type TlsTrust = Pick<SecureContextOptions, 'ca' | 'allowPartialTrustChain'> &
  Required<Pick<ConnectionOptions, 'checkServerIdentity'>>;

/**
 * How each of Lanyard's own connections checks a server's certificate: as Go's crypto/x509 does, so that kubectl and
 * Lanyard agree (docs/adr/0041). A certificate that is itself among the trusted ones is trusted. `pem`: the only ones that
 * count; null: the system's and Node's. The request proxy has the same rules (native-helper/proxy/src/upstream/trusted.rs).
 */
export function tlsTrust(pem: string | null): TlsTrust {
  return {
    ca: pem ?? trustedAuthorities(),
    allowPartialTrustChain: true,
    checkServerIdentity: identityFault,
  };
}

/**
 * Node's own check takes the common name of a certificate without names, and `f*.example.com`. OpenSSL takes an issuer that
 * doesn't say that it is a CA, where its key usage is signing certificates. Go takes none of these.
 */
function identityFault(host: string, peer: PeerCertificate | DetailedPeerCertificate): Error | undefined {
  if (issuersOf(peer).some(({ raw }) => statesVersion(raw) && !new X509Certificate(raw).ca)) {
    return faultOf('INVALID_CA');
  }
  const certificate = new X509Certificate(peer.raw);
  const name = host.replace(/\.$/, '');
  const found =
    isIP(name) === 0
      ? certificate.checkHost(name, { subject: 'never', partialWildcards: false })
      : certificate.checkIP(name);
  return found === undefined ? faultOf('ERR_TLS_CERT_ALTNAME_INVALID') : undefined;
}

function faultOf(code: string): Error {
  return Object.assign(new Error('the certificate is not for this host'), { code });
}

/** Those above the server's own. A root is its own issuer. */
function issuersOf(peer: PeerCertificate | DetailedPeerCertificate): PeerCertificate[] {
  const issuers: PeerCertificate[] = [];
  let below = peer;
  while ('issuerCertificate' in below && below.issuerCertificate?.raw && below.issuerCertificate !== below) {
    below = below.issuerCertificate;
    issuers.push(below);
  }
  return issuers;
}

/** Version 1 of X.509 is the one that isn't stated: it has no way to say that a certificate is a CA's. */
function statesVersion(der: Buffer): boolean {
  const within = (at: number) => at + 2 + ((der[at + 1] ?? 0) > 0x80 ? (der[at + 1] ?? 0) & 0x7f : 0);
  return der[within(within(0))] === 0xa0;
}
