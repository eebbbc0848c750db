import type { Credential } from './account.ts';
import type { LoadedCluster } from './config-store.ts';

/** What a cluster says to a credential; `unknown`: it could not be asked, or its answer tells nothing. */
export type Verdict = 'accepted' | 'rejected' | 'unknown';

/** Asks a cluster itself with a cheap request whether it takes a credential (rule: inferred-401). Never throws. */
export type ClusterProbe = (
  cluster: LoadedCluster,
  credential: Credential,
  signal: AbortSignal,
) => Promise<Verdict>;
