/** The blocks of a PEM text that matter for a client certificate. */
export interface SplitPem {
  /** Each `CERTIFICATE` block, in the text's order. */
  certificates: string[];
  /** The first private key's block, of any kind; null: there is none. */
  key: string | null;
}

// The body ends at the next five dashes: a block without an end doesn't cause a scan of the rest of the text.
const block = /-----BEGIN ([A-Z0-9 ]{1,64})-----\r?\n((?:(?!-----)[\s\S])*)-----END \1-----/g;

/**
 * Splits a combined PEM text. Text around the blocks (bag attributes, comments) and blocks of other kinds (EC
 * PARAMETERS, requests) are dropped; each block comes out with plain line ends and a final newline.
 */
export function splitPem(text: string): SplitPem {
  const result: SplitPem = { certificates: [], key: null };
  for (const [, label, body] of text.matchAll(block)) {
    const pem = `-----BEGIN ${label}-----\n${lines(body ?? '')}\n-----END ${label}-----\n`;
    if (label === 'CERTIFICATE' || label === 'X509 CERTIFICATE') {
      result.certificates.push(pem.replaceAll('X509 CERTIFICATE', 'CERTIFICATE'));
    } else if (label?.endsWith('PRIVATE KEY')) {
      result.key ??= pem;
    }
  }
  return result;
}

/** The block's lines without the spaces around them. A blank one ends the headers of an old key (RFC 1421). */
function lines(body: string): string {
  return body
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

/** True where a private key's block needs a passphrase: PKCS#8's own form, or the older headers. */
export function isEncryptedKey(pem: string): boolean {
  return pem.includes('BEGIN ENCRYPTED PRIVATE KEY') || /^Proc-Type: ?4, ?ENCRYPTED/m.test(pem);
}
