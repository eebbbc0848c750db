import type { LoadedCluster } from '../loaded-config.ts';
import type { MadeCluster } from './cluster-entry.ts';
import type { AccountEntry } from './import-plan.ts';

/** A context that is imported, with what the questions need. */
export interface PlannedContext {
  context: string;
  made: Extract<MadeCluster, { ok: true }>;
  /** What of it is another file's, though several have an entry of that name: facts, one line each. */
  mixed: readonly string[];
  /** The cluster is in config.yaml already: no question about it again. */
  exists: boolean;
  /** The cluster of config.yaml that it replaces. */
  replaces: LoadedCluster | null;
  account: string;
  /** The account is in config.yaml already: the credential that it issues is not in the kubeconfig that names it. */
  accountExists: boolean;
  /** The account gets different secrets. */
  accountReplaced: boolean;
  value: AccountEntry;
}
