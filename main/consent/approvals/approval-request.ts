import type { Target } from '../../domain/target/target.ts';
import type { Caller } from '../../ports/caller.ts';
import type { Terminal } from '../../ports/terminal.ts';

/** A request for the credential of a known target, and who may be asked about it. */
export interface ApprovalRequest {
  target: Target;
  caller: Caller;
  lineage(): readonly string[];
  terminal: Terminal;
  /** The client passed its terminal on: somebody may be there. */
  interactive: boolean;
  /**
   * A command prints it, for whatever reads that. `asked`: each print needs your approval; that question is the stricter
   * one, and stands for the target's own. `allowed`: the target's approval counts as for any other client.
   */
  print?: 'asked' | 'allowed';
  signal: AbortSignal;
}
