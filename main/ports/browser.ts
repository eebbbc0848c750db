/** A browser that the user chose, with its arguments (such as a profile); the address comes after them. */
export type BrowserProgram = readonly [program: string, ...args: string[]];

/** The user's web browser on this machine. */
export interface Browser {
  /** There is a display to open a browser on. */
  available(): boolean;
  /**
   * Opens a page if its address is allowed (rule: safe-addresses), in `program` only where one was chosen. False:
   * none could be started. Never throws.
   */
  open(url: string, program?: BrowserProgram): Promise<boolean>;
  /** Whether the program is on this machine, as far as that can be checked without starting it. */
  finds(program: BrowserProgram): Promise<boolean>;
}

/** Opens pages whose address no one else may read. */
export interface FileOpener {
  /**
   * Opens a page in one of Lanyard's own files, by its absolute path. False: nothing could be started. Never throws.
   */
  openFile(path: string): Promise<boolean>;
}
