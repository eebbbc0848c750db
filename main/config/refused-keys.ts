/** Keys by kind of account that users would expect for a secret. They are rejected: config.yaml has no secrets. */
export const secretKeys: Readonly<Record<string, readonly string[]>> = {
  oidc: ['clientSecret', 'clientKey', 'clientCertificate', 'refreshToken', 'idToken'],
  staticToken: ['token'],
  registry: ['password', 'token', 'identityToken', 'auth'],
  execPlugin: ['token', 'secret'],
  credentialProvider: ['password', 'token', 'auth'],
  credentialHelper: ['password', 'secret', 'auth'],
  secretReader: ['token', 'secret'],
  kubeconfigSecretReader: ['kubeconfig', 'token', 'secret'],
  aws: ['secretAccessKey', 'sessionToken', 'secret'],
  awsProcess: ['secretAccessKey', 'sessionToken', 'secret'],
  awsEks: ['token', 'secret'],
  requestSigner: ['secret', 'key', 'token'],
  clientCertificate: ['key', 'certificate', 'clientKeyData', 'clientCertificateData'],
};
