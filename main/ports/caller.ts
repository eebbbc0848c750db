/**
 * Who asks: the helper's parent, as the operating system tells it. A label for people and a scope for
 * answers, never the only thing a decision rests on: a program of the same user can pretend
 * (rule: caller-is-a-label).
 */
export interface Caller {
  uid: number;
  pid: number;
  startTime: string;
  /** What started it, as the system named that when the call came: for people alone. */
  parentName?: string | null;
  executable: string | null;
  executableId: string | null;
  session: { leaderPid: number; startTime: string } | null;
  pidNamespace: string | null;
  origin: 'local' | 'ssh' | 'container';
  /** The caller's own session has a terminal, as the system (not the message) tells. */
  hasTerminal: boolean;
  /** False where the parent ended or changed while it was looked at. */
  sure: boolean;
}
