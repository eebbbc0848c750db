import type { Caller } from '../../ports/caller.ts';
import type { LoadedCluster } from '../../ports/config-store.ts';
import type { Terminal } from '../../ports/terminal.ts';

/** A request for the credential of a known cluster, and who may be asked about it. */
export interface ApprovalRequest {
  account: string;
  cluster: LoadedCluster;
  caller: Caller;
  lineage(): readonly string[];
  terminal: Terminal;
  /** The client passed its terminal on: somebody may be there. */
  interactive: boolean;
  /** A command that prints it, for whatever reads that: `execCredential` counts, too. */
  printed?: boolean;
  signal: AbortSignal;
}
