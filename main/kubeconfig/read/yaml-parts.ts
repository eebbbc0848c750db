import { Lexer } from 'yaml';

/**
 * True where a YAML text, right or wrong, has more parts than `most`. A part takes the parser 2 to 6 µs: a token, without
 * the blanks between two; a line, an escape or 64 characters within a token.
 */
export function hasMoreParts(text: string, most: number): boolean {
  let parts = 0;
  for (const token of new Lexer().lex(text)) {
    parts += partsOf(token);
    if (parts > most) {
      return true;
    }
  }
  return false;
}

const [tab, newline, carriageReturn, marksScalar, space, quote, backslash] = [9, 10, 13, 31, 32, 39, 92];
/** `marksScalar` is the lexer's own, before each scalar without quotes. */
const costless: ReadonlySet<number> = new Set([tab, newline, carriageReturn, marksScalar, space]);
const costsMore: ReadonlySet<number> = new Set([newline, quote, backslash]);

function partsOf(token: string): number {
  let parts = Math.floor(token.length / 64) + (costless.has(token.charCodeAt(0)) ? 0 : 1);
  for (let at = 0; at < token.length; at++) {
    parts += costsMore.has(token.charCodeAt(at)) ? 1 : 0;
  }
  return parts;
}
