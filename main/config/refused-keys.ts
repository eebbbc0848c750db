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
  pkcs11: ['pin', 'pinValue', 'pin-value', 'pinSource', 'pin-source', 'userPin', 'password', 'secret', 'key'],
  clientCertificate: ['key', 'certificate', 'clientKeyData', 'clientCertificateData'],
};

/** Kinds whose secrets are not in the vault either, and how they are told instead. */
export const toldKinds: Readonly<Record<string, string>> = {
  pkcs11: 'Lanyard asks for the PIN when you log in',
};
