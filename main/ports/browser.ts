/** The person's web browser on this machine. */
export interface Browser {
  /** There is a display that one could open on. */
  available(): boolean;
  /** Opens a page whose address rule 10 allows. False where none could be started. Never throws. */
  open(url: string): Promise<boolean>;
}
