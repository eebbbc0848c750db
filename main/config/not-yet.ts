/**
 * Keys and values of the design that this version doesn't do. Ignoring one could hand out more than the
 * person meant, so each is an error of its own.
 */
export const notYetAccountKinds: readonly string[] = ['execPlugin'];

export const notYetKeys: Readonly<Record<string, readonly string[]>> = {
  oidc: ['audience', 'extraParams', 'redirectPorts'],
  cluster: ['audience'],
};

/** By the key's name: is this one of the values that a later version knows? */
export const notYetValues: Readonly<Record<string, RegExp>> = {
  flow: /^(browser|clientCredentials)$/,
  approval: /^(always|perTerminal|\d+(s|m|h|d))$/,
};

/** Keys under which people would look for a secret; config.yaml holds none. */
export const secretKeys: Readonly<Record<string, readonly string[]>> = {
  oidc: ['clientSecret', 'refreshToken', 'idToken'],
  staticToken: ['token'],
  clientCertificate: ['key', 'certificate', 'clientKeyData', 'clientCertificateData'],
};
