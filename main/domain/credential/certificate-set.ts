import { createHash, X509Certificate } from 'node:crypto';

/** A set of certificates as found in PEM text; the fingerprint ignores order and repetition. */
export type CertificateSet =
  | {
      ok: true;
      /** Only the certificates, in the text's order, each in 64 columns. */
      pem: string;
      count: number;
      /** SHA-256 of each certificate's DER in hex, in the text's order. */
      digests: readonly string[];
      /** `sha256:` and hex, over the sorted set of the certificates' DER. */
      fingerprint: string;
    }
  | { ok: false; fault: string };

const block = /-----BEGIN ([A-Z0-9 ]{1,64})-----[ \t]*\r?\n([^-]*)-----END \1-----/g;

/**
 * Reads the certificates of a PEM text. Other kinds of block are left out, as TLS clients do. Text that a more
 * lenient reader could take for another certificate is a fault: a comparison must see all that the client trusts.
 */
export function parseCertificates(text: string): CertificateSet {
  const ders: Buffer[] = [];
  for (const [, label, body = ''] of text.matchAll(block)) {
    if (label !== 'CERTIFICATE') {
      continue;
    }
    if (!isBase64(body)) {
      return { ok: false, fault: 'a certificate is not in base64' };
    }
    const der = Buffer.from(body, 'base64');
    if (!isCertificate(der)) {
      return { ok: false, fault: `certificate ${ders.length + 1} can’t be read` };
    }
    ders.push(der);
  }
  if (text.replace(block, '').includes('-----BEGIN')) {
    return { ok: false, fault: 'a PEM block has no end or a strange name' };
  }
  if (ders.length === 0) {
    return { ok: false, fault: 'there is no certificate in it' };
  }
  const pem = ders.map(toPem).join('');
  const digests = ders.map(digestOf);
  return {
    ok: true,
    // One string in memory, not two, where the text is already in this form.
    pem: pem === text ? text : pem,
    count: ders.length,
    digests,
    fingerprint: fingerprintOf(digests),
  };
}

/**
 * The fingerprint of what `parseCertificates` gave as `pem`, without parsing each certificate again; null: there is
 * none.
 */
export function fingerprintOfPem(pem: string): string | null {
  const ders = [...pem.matchAll(block)]
    .filter(([, label]) => label === 'CERTIFICATE')
    .map(([, , body = '']) => Buffer.from(body, 'base64'));
  return ders.length === 0 ? null : fingerprintOf(ders.map(digestOf));
}

/**
 * Decodes as Go does (encoding/pem, encoding/base64): full groups of four, padding only at the end, and of other
 * characters only line ends, spaces and tabs. Node accepts more, and drops what follows the padding: another reader
 * might not.
 */
function isBase64(body: string): boolean {
  const text = body.replace(/[ \t\r\n]/g, '');
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

function digestOf(der: Buffer): string {
  return createHash('sha256').update(der).digest('hex');
}

function isCertificate(der: Buffer): boolean {
  try {
    return new X509Certificate(der).raw.equals(der);
  } catch {
    return false;
  }
}

function toPem(der: Buffer): string {
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function fingerprintOf(digests: readonly string[]): string {
  const hash = createHash('sha256');
  for (const digest of new Set([...digests].sort())) {
    hash.update(digest);
  }
  return `sha256:${hash.digest('hex')}`;
}

/** Reads PEM text, and caches recent results. */
export type CertificateReader = (pem: string) => CertificateSet;

/**
 * A reader that keeps the last `maxEntries` results, for texts of at most `maxCharacters` together: as many as a
 * config.yaml may have.
 */
export function createCertificateReader(
  maxEntries = 8192,
  maxCharacters = 8 * 1024 * 1024,
): CertificateReader {
  const known = new Map<string, CertificateSet>();
  let characters = 0;
  return (pem) => {
    const found = known.get(pem) ?? parseCertificates(pem);
    if (known.delete(pem)) {
      characters -= pem.length;
    }
    known.set(pem, found);
    characters += pem.length;
    for (const oldest of known.keys()) {
      if (known.size <= maxEntries && characters <= maxCharacters) {
        break;
      }
      known.delete(oldest);
      characters -= oldest.length;
    }
    return found;
  };
}
