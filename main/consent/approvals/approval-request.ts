import type { Target } from '../../domain/target/target.ts';
import type { Caller } from '../../ports/caller.ts';
import type { Terminal } from '../../ports/terminal.ts';

/** A request for the credential of a known target, and how the user can be asked about it. */
export interface ApprovalRequest {
  target: Target;
  caller: Caller;
  lineage(): readonly string[];
  terminal: Terminal;
  /** The client passed its terminal on: the user may be there. */
  interactive: boolean;
  /**
   * A command prints it, for an unknown reader. `asked`: each print needs your approval; that question is the
   * stricter one, and replaces the target's own. `allowed`: the target's approval applies as for any other client.
   */
  print?: 'asked' | 'allowed';
  signal: AbortSignal;
}
