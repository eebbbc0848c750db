import { createHash } from 'node:crypto';

/**
 * A CA as text to compare: a digest of its certificates, sorted and without duplicates; empty for the system's CAs.
 * `pem` is in the form of `parseCertificates`, in which equal certificates are equal texts, so nothing is parsed
 * here.
 */
export function authorityKey(pem: string | null): string {
  if (pem === null) {
    return '';
  }
  const end = '-----END CERTIFICATE-----\n';
  const certificates = new Set(pem.split(end).slice(0, -1));
  const text = [...certificates].sort().join(end);
  return createHash('sha256').update(text).digest('base64');
}
