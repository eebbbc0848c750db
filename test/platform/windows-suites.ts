/** The broker’s own suites that run on Windows: all but those that ask providers hundreds of times, over TCP alone. */
export const windowsSuites = [
  'main/!(accounts)/**/*.test.ts',
  'main/accounts/!(oidc)/**/*.test.ts',
  'main/accounts/*.test.ts',
];
