import { X509Certificate } from 'node:crypto';
import { splitPem } from '../credential/split-pem.ts';
import { visibleText } from '../text/visible-text.ts';

/** A certificate of a CA, for the user to compare. */
export interface AuthorityCertificate {
  /** SHA-256 of the DER with colons, as `openssl x509 -fingerprint -sha256` prints it. */
  fingerprint: string;
  /** In one line. */
  subject: string;
  /** The day, UTC: `2027-11-22`. */
  expires: string;
}

/** Each certificate once, in the text's order. `pem` is as `parseCertificates` gives it. */
export function authorityCertificates(pem: string): AuthorityCertificate[] {
  const found = splitPem(pem).certificates.map((block): AuthorityCertificate => {
    const { fingerprint256, subject, validTo } = new X509Certificate(block);
    const until = new Date(validTo);
    return {
      fingerprint: fingerprint256,
      subject: (subject ?? '').replaceAll('\n', ', '),
      expires: Number.isNaN(until.getTime()) ? 'unknown' : until.toISOString().slice(0, 10),
    };
  });
  return found.filter(
    ({ fingerprint }, index) => found.findIndex((each) => each.fingerprint === fingerprint) === index,
  );
}

/** The one form in which a CA is displayed: a text for each of its certificates. Null: no own CA. */
export function authorityTexts(pem: string | null): string[] {
  return pem === null
    ? ['the system’s CAs']
    : authorityCertificates(pem).map(
        ({ fingerprint, subject, expires }) =>
          `SHA-256 ${fingerprint}, ${subject === '' ? 'no subject' : visibleText(subject, 500)}, expires ${expires}`,
      );
}
