type Token = '*' | ((byte: string) => boolean);

/** Matches one name, both in bytes. */
export type Glob = (name: string) => boolean;

/**
 * A glob as Go’s filepath.Match reads it, of what can be in a host’s label: `*`, and the brackets of an IP literal,
 * which it takes for a class of characters.
 */
export function compileGlob(pattern: string): Glob {
  if (pattern.includes('[')) {
    const tokens = tokensOf(pattern);
    return tokens ? (name) => matches(tokens, name) : () => false;
  }
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  const middle = rest.filter((piece) => piece !== '');
  return last === undefined
    ? (name) => name === pattern
    : (name) => containsInOrder(name, first, middle, last);
}

/** Whether a name begins and ends so, with the pieces one after the other in between. */
function containsInOrder(name: string, first: string, middle: readonly string[], last: string): boolean {
  const end = name.length - last.length;
  if (!name.startsWith(first) || !name.endsWith(last)) {
    return false;
  }
  let at = first.length;
  for (const piece of middle) {
    const found = name.indexOf(piece, at);
    if (found < 0) {
      return false;
    }
    at = found + piece.length;
  }
  return at <= end;
}

/** Null: Go's ErrBadPattern. */
function tokensOf(pattern: string): Token[] | null {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? '';
    if (character === '*') {
      tokens.push('*');
    } else if (character === '[') {
      const [whole = '', inside = ''] = /^\[((?:[^-\]](?:-[^-\]])?)+)\]/s.exec(pattern.slice(at)) ?? [];
      if (whole === '') {
        return null;
      }
      const ranges = [...inside.matchAll(/(.)(?:-(.))?/gs)];
      tokens.push((byte) => ranges.some(([, low = '', high = low]) => low <= byte && byte <= high));
      at += whole.length - 1;
    } else {
      tokens.push((byte) => byte === character);
    }
  }
  return tokens;
}

/** Goes back to the last star alone, so that many stars take no longer. */
function matches(tokens: readonly Token[], name: string): boolean {
  let at = 0;
  let token = 0;
  let star: { token: number; at: number } | null = null;
  while (at < name.length) {
    const next = tokens[token];
    if (next === '*') {
      star = { token: ++token, at };
    } else if (next?.(name[at] ?? '')) {
      at++;
      token++;
    } else if (star) {
      star.at++;
      token = star.token;
      at = star.at;
    } else {
      return false;
    }
  }
  return tokens.slice(token).every((rest) => rest === '*');
}
