/** The person's web browser on this machine. */
export interface Browser {
  /** There is a display that one could open on. */
  available(): boolean;
  /** Opens a page whose address rule 10 allows. False where none could be started. Never throws. */
  open(url: string): Promise<boolean>;
}

/** Opens pages whose address nobody else may read. */
export interface FileOpener {
  /** Opens a page in a file of Lanyard's own, by its whole path. False where nothing could be started. Never throws. */
  openFile(path: string): Promise<boolean>;
}
