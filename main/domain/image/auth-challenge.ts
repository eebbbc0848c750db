/** One challenge of a `WWW-Authenticate` header (RFC 9110, 11.3). Scheme and names are in lower case. */
export interface AuthChallenge {
  scheme: string;
  /** Empty for a challenge with a token68 or with nothing. */
  parameters: ReadonlyMap<string, string>;
}

/** More than a registry has; what comes from outside is bounded (rule: bounded-input). */
const longestHeader = 8 * 1024;
const mostChallenges = 16;

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const separators = /[\t ,]*/y;
const scheme = new RegExp(`(${token})(?:[\\t ]+|(?=,)|$)`, 'y');
/** `name=value` or `name="value"`, with the white space that RFC 9110, 11.2 lets a sender have; `obs-text` as Latin-1 (5.5). */
const parameter = new RegExp(
  `(${token})[\\t ]*=[\\t ]*(?:"((?:[\\t\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t\\x20-\\x7e\\x80-\\xff])*)"|(${token}))[\\t ]*(?=,|$)`,
  'y',
);
const token68 = /[A-Za-z0-9\-._~+/]+=*[\t ]*(?=,|$)/y;

/**
 * Parses the challenges of a `WWW-Authenticate` header, several lines joined by commas (RFC 9110, 11.6.1). Null: it is
 * none, or too long. A guess at a malformed one could send a credential elsewhere.
 */
export function parseChallenges(header: string): AuthChallenge[] | null {
  if (header.length > longestHeader) {
    return null;
  }
  const found: AuthChallenge[] = [];
  let at = skip(separators, header, 0);
  while (at < header.length) {
    const named = match(scheme, header, at);
    if (!named || found.length === mostChallenges) {
      return null;
    }
    at += named[0].length;
    const parameters = new Map<string, string>();
    const data = match(parameter, header, at) ? null : match(token68, header, at);
    if (data) {
      at += data[0].length;
    }
    for (let next = match(parameter, header, at); next; next = match(parameter, header, at)) {
      const [whole, name = '', quoted, plain = ''] = next;
      const key = name.toLowerCase();
      if (parameters.has(key)) {
        return null;
      }
      parameters.set(key, quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1'));
      at = skip(separators, header, at + whole.length);
    }
    found.push({ scheme: (named[1] ?? '').toLowerCase(), parameters });
    at = skip(separators, header, at);
  }
  return found;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function skip(pattern: RegExp, text: string, at: number): number {
  return at + (match(pattern, text, at)?.[0].length ?? 0);
}
