/** Keys under which people would look for a secret; config.yaml holds none. */
export const secretKeys: Readonly<Record<string, readonly string[]>> = {
  oidc: ['clientSecret', 'clientKey', 'clientCertificate', 'refreshToken', 'idToken'],
  staticToken: ['token'],
  execPlugin: ['token', 'secret'],
  clientCertificate: ['key', 'certificate', 'clientKeyData', 'clientCertificateData'],
};
