/** UTF-8, as far as one code point goes; else a byte that is none. */
const piece =
  /[^\x80-\xff]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/gs;

/** As strconv.IsPrint. */
const isPrinted = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

const short: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** A text in quotes, as Go's strconv.Quote writes it. */
export function goQuote(text: string): string {
  return goQuoteBytes(toBytes(text));
}

/** The same for bytes, of which a text need not be made. */
export function goQuoteBytes(bytes: string): string {
  return `"${bytes.replaceAll(piece, quotePiece)}"`;
}

/** A text's UTF-8, a character for each byte: Go's functions see bytes. */
export function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Back from `toBytes`; bytes that are no UTF-8 become U+FFFD. */
export function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function quotePiece(bytes: string): string {
  const character = fromBytes(bytes);
  const code = character.codePointAt(0) ?? 0;
  if (bytes.length === 1 && bytes >= '\x80') {
    return `\\x${hex(bytes.charCodeAt(0), 2)}`;
  }
  if (short[character] !== undefined) {
    return short[character];
  }
  if (isPrinted.test(character)) {
    return character;
  }
  if (code < 0x80) {
    return `\\x${hex(code, 2)}`;
  }
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
