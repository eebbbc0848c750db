/** The broker’s own suites that say something about Windows when they run there. */
export const windowsSuites = [
  'main/base/**/*.test.ts',
  'main/config/**/*.test.ts',
  'main/contract/**/*.test.ts',
  'main/domain/**/*.test.ts',
  'main/grants/**/*.test.ts',
  'main/kubeconfig/**/*.test.ts',
  'main/vault/**/*.test.ts',
];
