import { Secret } from '../../base/secret.ts';

/** A server with its user name and secret, as docker’s helpers read and print them. */
export interface DockerEntry {
  serverUrl: string;
  userName: string;
  secret: Secret;
}

/**
 * Reads the JSON of `store`, or a helper’s answer to `get`, as leniently as Go’s decoder: names in any case, unknown ones and null are nothing, what follows
 * the object isn’t read. Null: no JSON object with texts. Says nothing of what it found: a secret may be in it.
 */
export function readEntry(text: string): DockerEntry | null {
  const found = { serverurl: '', username: '', secret: '' };
  const object = firstObject(text);
  if (object === null) {
    return null;
  }
  for (const [name, value] of Object.entries(object)) {
    const known = name.toLowerCase();
    if (!isField(known) || value === null) {
      continue;
    }
    if (typeof value !== 'string') {
      return null;
    }
    found[known] = value.toWellFormed();
  }
  return { serverUrl: found.serverurl, userName: found.username, secret: new Secret(found.secret) };
}

function isField(name: string): name is 'serverurl' | 'username' | 'secret' {
  return name === 'serverurl' || name === 'username' || name === 'secret';
}

function firstObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text.slice(0, endOfFirst(text)));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Behind the bracket that closes the first one. */
function endOfFirst(text: string): number {
  let depth = 0;
  // A string without its end matches, too: else each quote in it would be tried as the start of one, in quadratic time.
  for (const { 0: part, index } of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\]]/g)) {
    if (part === '{' || part === '[') {
      depth += 1;
    } else if (part === '}' || part === ']') {
      depth -= 1;
      if (depth <= 0) {
        return index + 1;
      }
    }
  }
  return text.length;
}
