/** What a credential consists of; `both`: a token and a certificate with its key. */
export const credentialKinds = ['token', 'certificate', 'both', 'password', 'awsKeys'] as const;
export type CredentialKind = (typeof credentialKinds)[number];

/** `password`: a user name with a password (RFC 7617), for a registry. */
export function credentialKind({
  token,
  certificate,
  awsKeys,
}: {
  token: unknown;
  certificate: unknown;
  awsKeys?: unknown;
}): CredentialKind {
  if (awsKeys !== undefined) {
    return 'awsKeys';
  }
  if (token !== null) {
    return certificate === null ? 'token' : 'both';
  }
  return certificate === null ? 'password' : 'certificate';
}
