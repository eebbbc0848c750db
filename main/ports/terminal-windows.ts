/** A terminal program that the user chose, with its arguments; what it runs comes after them. */
export type TerminalProgram = readonly [program: string, ...args: string[]];

export interface TerminalSession {
  /** The first line in the terminal: plain text without control characters. */
  heading: string;
  /** The same where the user’s shell has set another KUBECONFIG as it started. */
  otherwise: string;
  /** The kubeconfig that its programs read, absolute. Removed when the user’s shell ends, where the system can. */
  kubeconfig: string;
}

/** The windows of the system’s terminal on this machine. */
export interface TerminalWindows {
  /** One can be opened here. */
  available(): boolean;
  /** Opens one with the user’s shell, in `program` only where one was chosen. False: none could be started. Never throws. */
  open(session: TerminalSession, program?: TerminalProgram): Promise<boolean>;
}
