/**
 * The caller: the helper's parent, as the operating system names it. A label for the user and a scope for approvals,
 * never the only ground for a decision: a program of the same user can pretend (rule: caller-is-a-label).
 */
export interface Caller {
  uid: number;
  pid: number;
  startTime: string;
  /** What started it, as the system named that when the call came: for display only. */
  parentName?: string | null;
  executable: string | null;
  executableId: string | null;
  session: { leaderPid: number; startTime: string } | null;
  pidNamespace: string | null;
  origin: 'local' | 'ssh' | 'container';
  /** The caller's own session has a terminal, as the system (not the message) says. */
  hasTerminal: boolean;
  /** False: the parent ended or changed during the check. */
  sure: boolean;
  /**
   * Whether the helper’s parent is what started it, by their sessions. `adopted`: its own has ended, and the system gave
   * it another. `unclear`: it leads a session of its own. Absent: it is.
   */
  kinship?: 'child' | 'adopted' | 'unclear';
}
