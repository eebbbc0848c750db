/** Kinds of account whose credentials are in Secrets of a hub, by their key in config.yaml. */
const readerKinds: readonly unknown[] = ['secretReader', 'kubeconfigSecretReader'];

export function readsSecrets(kind: unknown): boolean {
  return readerKinds.includes(kind);
}
