const privateKey = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/;

/** A JWS or a JWE: header and payload, or header and key, are base64url; the header is JSON. */
const jwt = /\beyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]*/;

/** Tokens with their makers' prefixes. */
const marked = new RegExp(
  [
    'gh[pousr]_[A-Za-z0-9]{30,}',
    'github_pat_\\w{30,}',
    'gl(pat|dt|rt|soat)-[\\w-]{20,}',
    'xox[abeprs]-[\\w-]{10,}',
    'hv[sbr]\\.[\\w-]{20,}',
    'do[opr]_v1_[0-9a-f]{64}',
    'npm_[A-Za-z0-9]{36}',
    'dckr_(pat|oat)_[\\w-]{20,}',
    'AGE-SECRET-KEY-1[A-Z0-9]+',
    'k8s-aws-v1\\.[\\w-]+',
    'AIza[\\w-]{35}',
    'ya29\\.[\\w-]{20,}',
    'sk-[A-Za-z0-9_-]{20,}',
  ]
    .map((each) => `\\b${each}`)
    .join('|'),
);

/** A password in an address: the text after the user's name. */
const passwordInUrl = /\b[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i;

/** Whether a text contains what only a secret has, whatever its name is. */
export function holdsSecret(text: string): boolean {
  return (
    privateKey.test(text) ||
    holdsEncodedKey(text) ||
    jwt.test(text) ||
    marked.test(text) ||
    passwordInUrl.test(text)
  );
}

/** Base64 of PEM that begins with a private key, or has one further on. */
function holdsEncodedKey(text: string): boolean {
  const found = /LS0tLS1CRUdJTi[A-Za-z0-9+/=\s]*/.exec(text);
  return found !== null && privateKey.test(Buffer.from(found[0], 'base64').toString('latin1'));
}

const shortestRandom = 32;

/** Whether the complete text is as random as a key: an AWS secret key, a generated password. A guess. */
export function looksRandom(text: string): boolean {
  if (text.length < shortestRandom || text.length > 512 || !/^[A-Za-z0-9_+/=-]+$/.test(text)) {
    return false;
  }
  if (/^\/|^LS0tLS1CRUdJTi/.test(text)) {
    return false; // a path; certificates
  }
  const classes = [...text].map((each) => (/[a-z]/.test(each) ? 'a' : /[A-Z]/.test(each) ? 'A' : '0'));
  if (new Set(classes).size < 3 || !/\d/.test(text)) {
    return false;
  }
  // Words and numbers repeat one kind of character for a while; random text doesn't.
  const changes = classes.filter((each, index) => index > 0 && each !== classes[index - 1]).length;
  return changes / text.length > 0.42 && bitsPerCharacter(text) > 3.9;
}

/** Shannon's entropy. */
function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const each of text) {
    counts.set(each, (counts.get(each) ?? 0) + 1);
  }
  return [...counts.values()].reduce((sum, count) => {
    const share = count / text.length;
    return sum - share * Math.log2(share);
  }, 0);
}
