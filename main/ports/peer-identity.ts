/** The process at the other end of a local socket, as the operating system names it. */
export interface PeerCredentials {
  uid: number;
  pid: number;
}

/** The result of one query about a process. */
export interface ProcessBrief {
  pid: number;
  parentPid: number;
  /** When it started, in the system's own ticks: with the pid it identifies one process for good. */
  startTime: string;
  /** The kernel's short name for it (`comm`, 15 bytes; 16 on macOS), readable for other users' processes too. */
  name: string;
  /** Pid of the session's leader: with its start time it identifies a terminal. */
  sessionLeaderPid: number;
  hasTerminal: boolean;
}

/** What the operating system knows of a process. */
export interface ProcessInfo extends ProcessBrief {
  /** Absolute path of its executable; null where the system doesn't tell (another user's process). */
  executable: string | null;
  /** Device and inode of the executable, `dev:inode`; null where unknown. */
  executableId: string | null;
  /** Identifies the pid namespace; null where the system has none. */
  pidNamespace: string | null;
}

/** A helper, and the processes above it. What the system doesn't show is null. */
export interface CallerChain {
  helper: ProcessBrief;
  parent: ProcessInfo | null;
  /** What started the parent. */
  above: ProcessBrief | null;
  /** Of the parent's session. */
  sessionLeader: ProcessBrief | null;
  /** The helper was still the same child of the same parent after the last query. */
  sure: boolean;
}

export interface PeerIdentity {
  /** `handle` is the connection's file descriptor. Throws where the system can't tell: the peer is then denied. */
  peer(handle: number): PeerCredentials;
  /** Null: there is no such process any more, or the system shows it only to others. */
  process(pid: number): ProcessInfo | null;
  /** Reads all facts of a caller at once. Null: the helper has ended. Throws where the system can't tell now. */
  chain(helperPid: number): CallerChain | null;
  /** As `process`, at a tenth of its cost. */
  brief(pid: number): ProcessBrief | null;
  /** The broker's own user. */
  ownUid(): number;
  /** The broker's own process. */
  ownPid(): number;
}
