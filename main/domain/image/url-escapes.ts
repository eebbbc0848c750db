import { goQuoteBytes } from '../decode/go-quote.ts';

/** What a URL can’t be, in Go’s words. */
export class UrlError extends Error {}

const hostByte = /[!"$&'()*+,\-.0-9:;<=>A-Z[\]_a-z~]/;

/** Decodes the escapes of a part of a URL, in bytes; throws a UrlError for what Go’s url.Parse refuses. */
export function decodeEscapes(bytes: string, part: 'host' | 'zone' | 'text'): string {
  if (part !== 'text') {
    checkHost(bytes, part);
  }
  const at = bytes.search(malformed);
  if (at >= 0) {
    throw wrongEscape(bytes, at);
  }
  return bytes.replaceAll(/%([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const malformed = /%(?![0-9a-fA-F]{2})/;

/** From left to right: the first fault is told. */
function checkHost(bytes: string, part: 'host' | 'zone'): void {
  for (const { 0: piece, index } of bytes.matchAll(/%[0-9a-fA-F]{2}|[\s\S]/g)) {
    if (piece === '%' || (piece.length > 1 && !isOfHost(piece, part))) {
      throw wrongEscape(bytes, index);
    }
    if (!isOfHost(piece, part)) {
      throw new UrlError(`invalid character ${goQuoteBytes(piece)} in host name`);
    }
  }
}

function wrongEscape(bytes: string, at: number): UrlError {
  return new UrlError(`invalid URL escape ${goQuoteBytes(bytes.slice(at, at + 3))}`);
}

/** Of ASCII, a host takes no escapes but that of the percent sign; a zone takes those that it needs not, and a space. */
function isOfHost(piece: string, part: 'host' | 'zone'): boolean {
  if (piece.length === 1) {
    return piece >= '\x80' || hostByte.test(piece);
  }
  const byte = String.fromCharCode(Number.parseInt(piece.slice(1), 16));
  return piece === '%25' || (part === 'host' ? byte >= '\x80' : byte === ' ' || hostByte.test(byte));
}
