import type { X509Certificate } from 'node:crypto';

/** The validity of a certificate, in milliseconds since 1970, and its subject. */
export interface CertificateLife {
  issuedAt: number;
  expiresAt: number;
  /** The subject's common name, else the complete subject in one line. */
  subject: string;
}

/** What `certificate` states. */
export function certificateLife(certificate: X509Certificate): CertificateLife {
  return {
    issuedAt: Date.parse(certificate.validFrom),
    expiresAt: Date.parse(certificate.validTo),
    subject: subject(certificate.subject),
  };
}

/** Node writes one attribute per line. */
function subject(lines: string | undefined): string {
  const all = (lines ?? '').split('\n').filter((line) => line !== '');
  const commonName = all.find((line) => line.startsWith('CN='));
  return commonName?.slice('CN='.length) ?? all.join(', ');
}

/**
 * The certificates in the order that TLS needs: `leaf`, then each one's issuer as far as they are given, then the
 * rest as it came. Duplicates are dropped.
 */
export function orderChain(leaf: X509Certificate, others: readonly X509Certificate[]): X509Certificate[] {
  const chain = [leaf];
  const rest = others.filter(
    (one, index) =>
      one.fingerprint256 !== leaf.fingerprint256 &&
      others.findIndex((other) => other.fingerprint256 === one.fingerprint256) === index,
  );
  for (let last = leaf; ; ) {
    const next = rest.findIndex((one) => last.checkIssued(one));
    const [issuer] = next < 0 ? [] : rest.splice(next, 1);
    if (!issuer) {
      return [...chain, ...rest];
    }
    chain.push(issuer);
    last = issuer;
  }
}
