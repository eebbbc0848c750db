/** What a credential consists of; `both`: a token and a certificate with its key. */
export const credentialKinds = ['token', 'certificate', 'both', 'password'] as const;
export type CredentialKind = (typeof credentialKinds)[number];

/** `password`: a user name with a password (RFC 7617), for a registry. */
export function credentialKind({
  token,
  certificate,
}: {
  token: unknown;
  certificate: unknown;
}): CredentialKind {
  if (token !== null) {
    return certificate === null ? 'token' : 'both';
  }
  return certificate === null ? 'password' : 'certificate';
}
