/** A browser that a person chose, with its arguments (a profile, say); the address comes after them. */
export type BrowserProgram = readonly [program: string, ...args: string[]];

/** The person's web browser on this machine. */
export interface Browser {
  /** There is a display that one could open on. */
  available(): boolean;
  /**
   * Opens a page whose address is allowed (rule: safe-addresses), in `program` and no other where one was chosen. False
   * where none could be started. Never throws.
   */
  open(url: string, program?: BrowserProgram): Promise<boolean>;
  /** The program is on this machine, as far as that can be seen without starting it. */
  finds(program: BrowserProgram): Promise<boolean>;
}

/** Opens pages whose address nobody else may read. */
export interface FileOpener {
  /** Opens a page in a file of Lanyard's own, by its whole path. False where nothing could be started. Never throws. */
  openFile(path: string): Promise<boolean>;
}
