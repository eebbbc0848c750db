import { writeOwnFile } from '../config/own-file.ts';
import { readBounded } from '../config/read-bounded.ts';
import { BrokerError } from '../contract/broker-error.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import type { KubeconfigApiVersion } from './helper-exec.ts';
import {
  type FirstContexts,
  type ManagedKubeconfigOptions,
  managedKubeconfig,
} from './managed-kubeconfig.ts';
import { kubeconfigLimitBytes } from './read/kubeconfig-file.ts';

/** Writes the managed kubeconfig for these clusters; returns warnings for the user. */
export type WriteManagedKubeconfig = (
  clusters: readonly LoadedCluster[],
  apiVersion: KubeconfigApiVersion,
  first?: FirstContexts | 'asItWas',
) => Promise<string[]>;

/**
 * Writes the managed kubeconfig at `path`, and touches no other file (KEP-541/kubeconfig-unchanged). Atomic, durable,
 * only for its owner. A file that can't be read isn't replaced. Returns warnings for the user.
 */
export async function writeManagedKubeconfig(
  options: Omit<ManagedKubeconfigOptions, 'previous'> & { path: string },
): Promise<string[]> {
  const { path, ...rest } = options;
  const previous = await readBounded(path, kubeconfigLimitBytes);
  if (previous?.ok === false) {
    throw new BrokerError('kubeconfig.unreadable', previous.fault, {
      reason: 'usage',
      hint: 'move it away and try again',
    });
  }
  const { text, warnings } = managedKubeconfig({ ...rest, previous: previous?.text });
  await writeOwnFile(path, text, { mode: 0o600, temporaryName: '.kubeconfig.lanyard.tmp' });
  return warnings;
}
