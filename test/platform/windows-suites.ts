/**
 * The broker’s own suites that run on Windows: all but those that ask providers hundreds of times, over TCP alone, and
 * those of keys on tokens, which Windows has not.
 */
export const windowsSuites = [
  'main/!(accounts)/**/*.test.ts',
  'main/accounts/!(oidc|pkcs11)/**/*.test.ts',
  'main/accounts/*.test.ts',
];
