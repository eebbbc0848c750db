import { writeOwnFile } from '../config/own-file.ts';
import { readBounded } from '../config/read-bounded.ts';
import { BrokerError } from '../contract/broker-error.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import type { AwayNamespaces } from '../ports/away-namespaces.ts';
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
  options: Omit<ManagedKubeconfigOptions, 'previous' | 'away'> & {
    path: string;
    away?: AwayNamespaces | undefined;
  },
): Promise<string[]> {
  const { path, away, ...rest } = options;
  const previous = await readBounded(path, kubeconfigLimitBytes);
  if (previous?.ok === false) {
    throw new BrokerError('kubeconfig.unreadable', previous.fault, {
      reason: 'usage',
      hint: 'move it away and try again',
    });
  }
  const clusters = [...rest.clusters];
  const kept = away?.current() ?? new Map<string, string>();
  const { text, warnings, leaving } = managedKubeconfig({
    ...rest,
    clusters,
    previous: previous?.text,
    away: kept,
  });
  const all = new Map([...kept, ...leaving]);
  // Before they are gone from the file, and those that return only after they are in it.
  await away?.keep(all);
  await writeOwnFile(path, text, { mode: 0o600, temporaryName: '.kubeconfig.lanyard.tmp' });
  const written = new Set(clusters.map(({ name }) => name));
  await away?.keep(new Map([...all].filter(([name]) => !written.has(name))));
  return warnings;
}
