/** All that the desktop app’s preload adds to its page, as `window.lanyard`. */
export interface PageBridge {
  /** Sends one message of main/contract/ui/messages.ts, as JSON text. */
  send(text: string): void;
  /**
   * Starts the connection: `listener` gets the broker’s messages, first the whole state. Replaces an earlier listener.
   */
  listen(listener: (text: string) => void): void;
  /**
   * `listener` gets the paths of files that the user drops on the window; null: no file can be dropped. Replaces an
   * earlier listener. The page never gets the files themselves.
   */
  listenDrops(listener: ((paths: string[]) => void) | null): void;
}
