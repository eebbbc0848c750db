/** Whether news reach the person now. */
export interface Notices {
  /** The system shows notifications at all. */
  readonly areSupported: boolean;
  /** The person is left in peace: paused, the screen is locked, or the desktop says so. */
  areQuiet(): boolean;
}
