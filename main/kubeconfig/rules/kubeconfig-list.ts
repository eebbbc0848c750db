import { BrokerError } from '../../contract/broker-error.ts';

/**
 * The value of KUBECONFIG with the managed kubeconfig first, so that its contexts count and tools write a changed
 * current-context into it; then the files that counted before, each once. Throws BrokerError `kubeconfig.separator`
 * (usage) where a path contains the separator.
 */
export function kubeconfigList(managed: string, others: readonly string[], platform: string): string {
  const separator = platform === 'win32' ? ';' : ':';
  const files = [...new Set([managed, ...others])];
  const unfit = files.find((file) => file.includes(separator));
  if (unfit !== undefined) {
    throw new BrokerError(
      'kubeconfig.separator',
      `${unfit} can’t stand in KUBECONFIG: "${separator}" separates files there`,
      { reason: 'usage', hint: 'move it to a folder without it, or use kubectl --kubeconfig' },
    );
  }
  return files.join(separator);
}
