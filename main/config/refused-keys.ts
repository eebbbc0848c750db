/**
 * Keys and values of the design that this version doesn't do. Ignoring one could hand out more than the
 * person meant, so each is an error of its own.
 */
export const notYetAccountKinds: readonly string[] = ['execPlugin'];

/** Keys under which people would look for a secret; config.yaml holds none. */
export const secretKeys: Readonly<Record<string, readonly string[]>> = {
  oidc: ['clientSecret', 'clientKey', 'refreshToken', 'idToken'],
  staticToken: ['token'],
  clientCertificate: ['key', 'certificate', 'clientKeyData', 'clientCertificateData'],
};
