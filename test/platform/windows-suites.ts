/** The broker’s own suites that say something about Windows when they run there. */
export const windowsSuites = [
  'main/base/**/*.test.ts',
  'main/config/**/*.test.ts',
  'main/contract/**/*.test.ts',
  'main/domain/**/*.test.ts',
  'main/kubeconfig/**/*.test.ts',
  'main/vault/**/*.test.ts',
];

/** Those among them that state what Unix has: its paths, modes and links. Nothing is known of Windows from these yet. */
export const unixSuites = [
  'main/config/aws-accounts.test.ts',
  'main/config/home.test.ts',
  'main/config/inventory-faults.test.ts',
  'main/config/load.test.ts',
  'main/config/pkcs11-accounts.test.ts',
  'main/config/store.test.ts',
  'main/config/write-durably.test.ts',
  'main/domain/approval/binding.test.ts',
  'main/domain/approval/inventory-shape.test.ts',
  'main/domain/import/kubelogin-account.test.ts',
  'main/domain/import/plan-import.test.ts',
  'main/domain/import/plan-plugins.test.ts',
  'main/domain/import/user-account.test.ts',
  'main/domain/server/authority-text.test.ts',
  'main/domain/text/shell-line.test.ts',
  'main/kubeconfig/edit/write-locked.test.ts',
  'main/kubeconfig/import/importer.test.ts',
  'main/kubeconfig/read/parse-kubeconfig.test.ts',
  'main/kubeconfig/read/read-kubeconfigs.test.ts',
  'main/kubeconfig/watch/kubeconfig-watch.test.ts',
  'main/kubeconfig/watch/state-file.test.ts',
  'main/kubeconfig/write-managed-kubeconfig.test.ts',
  'main/vault/open-vault.test.ts',
  'main/vault/replace.test.ts',
  'main/vault/write.test.ts',
];
