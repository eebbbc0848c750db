import { isPublicName, isSecretName } from '../../../domain/import/secret-names.ts';

/**
 * Another token (a JWT’s first part is base64 of `{"`, or of `{` and a blank), a private key, or a token by its
 * issuer’s prefix.
 */
const tokens =
  /e[wy][A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}|-----BEGIN [A-Z ]*PRIVATE KEY|\b(gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|k8s-aws-v1\.|sha256~|hvs\.|ya29\.)[A-Za-z0-9_-]{8,}/;

/** Whether a text contains a credential, whatever it is named. */
export function holdsSecret(text: string): boolean {
  return tokens.test(text);
}

/** Random but public: RFC 7519, OpenID Connect Core, RFC 9068, RFC 7800, and Microsoft’s `oid` and `tid`. */
const publicClaims = new Set(
  'iss sub aud exp nbf iat jti azp acr amr nonce auth_time at_hash c_hash s_hash sid cnf client_id appid oid tid ver scp scope typ'.split(
    ' ',
  ),
);

/** One long word of mixed letters and digits, which no user would choose. */
const random = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w+/=~.-]{32,}$/;

const depthLimit = 16;

/**
 * Whether a claim contains a secret: by its name, by a name inside it (OpenID Connect Core 5.6.2 puts access tokens
 * into `_claim_sources`), or because it looks random (rule: page-without-secrets).
 */
export function isSecretClaim(name: string, value: unknown, depth = 0): boolean {
  if (publicClaims.has(name)) {
    return false;
  }
  if (depth > depthLimit) {
    return true;
  }
  if (typeof value === 'string') {
    return isSecretName(name) || (random.test(value) && !isPublicName(name));
  }
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return Array.isArray(value)
    ? value.some((each) => isSecretClaim(name, each, depth + 1))
    : Object.entries(value).some(([key, each]) => isSecretClaim(key, each, depth + 1));
}
