/** What the desktop app's preload puts into its page as `window.lanyard`, and nothing else. */
export interface PageBridge {
  /** A message as main/contract/ui/messages.ts has it, as text. */
  send(text: string): void;
  /** Begins: from here on `listener` hears what the broker says, the whole state first. Another takes its place. */
  listen(listener: (text: string) => void): void;
}
