import { Secret } from '../../base/secret.ts';
import type { UnreadableData } from '../../domain/import/kubeconfig.ts';
import { isPlaceholder, placeholderHint } from '../../domain/import/placeholder.ts';
import type { Fields } from './fields.ts';

/** A certificate or key as an entry says it: in itself, or the file that holds it. */
export type Material = { from: 'data'; content: DecodedData } | { from: 'file'; path: string };

export type DecodedData = { ok: true; content: Secret } | UnreadableData;

/**
 * Reads `<key>-data` and `<key>`, the data first, as client-go's LoadTLSFiles does; null: neither. `resolve` makes a
 * path absolute.
 */
export function materialOf(fields: Fields, key: string, resolve: (path: string) => string): Material | null {
  const data = fields.text(`${key}-data`);
  const path = fields.text(key);
  if (data !== '') {
    return { from: 'data', content: decodeBase64(data) };
  }
  return path === '' ? null : { from: 'file', path: resolve(path) };
}

const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;

/** As Go's base64.StdEncoding: padding is wanted, line ends are skipped, nothing else is. */
function decodeBase64(text: string): DecodedData {
  if (isPlaceholder(text)) {
    const fault = `its data is a placeholder, not the data itself: ${placeholderHint}`;
    return { ok: false, fault, isPlaceholder: true };
  }
  const plain = text.replace(/[\r\n]/g, '');
  if (plain.length % 4 !== 0 || !alphabet.test(plain)) {
    return { ok: false, fault: 'its data is not base64' };
  }
  return { ok: true, content: new Secret(Buffer.from(plain, 'base64').toString('utf8')) };
}

/**
 * The public part of a PEM text. A file may contain a certificate and its key together, and a reader of the
 * certificate should not get the key.
 */
export function publicPem(content: Secret): string {
  return content
    .reveal()
    .replace(/-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----\r?\n?|$)/g, '');
}
