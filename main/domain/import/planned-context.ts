import type { LoadedCluster } from '../loaded-config.ts';
import type { MadeCluster } from './cluster-entry.ts';
import type { AccountEntry } from './import-plan.ts';

/** A context that is imported, as far as questions go. */
export interface PlannedContext {
  context: string;
  made: Extract<MadeCluster, { ok: true }>;
  /** The cluster is in config.yaml already: nothing is asked about it again. */
  exists: boolean;
  /** The cluster of config.yaml that it takes the place of. */
  replaces: LoadedCluster | null;
  account: string;
  /** The account is in config.yaml already: what it hands out is not in the kubeconfig that names it. */
  accountExists: boolean;
  /** The account gets other secrets than it has. */
  accountReplaced: boolean;
  value: AccountEntry;
}
