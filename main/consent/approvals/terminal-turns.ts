/** Lets one question at a time use a terminal, so that two prompts never mix. */
export class TerminalTurns {
  /** By terminal: those that wait for their turn; present while one has it. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Waits for the terminal's turn; call the returned function to pass it on. Rejects with the signal's reason. */
  take(terminal: string, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) {
      return Promise.reject(signal.reason);
    }
    const queue = this.#waiting.get(terminal);
    if (!queue) {
      this.#waiting.set(terminal, []);
      return Promise.resolve(this.#release(terminal));
    }
    return new Promise((resolve, reject) => {
      const next = () => {
        signal.removeEventListener('abort', leave);
        resolve(this.#release(terminal));
      };
      const leave = () => {
        queue.splice(queue.indexOf(next), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.push(next);
    });
  }

  #release(terminal: string): () => void {
    let released = false;
    return () => {
      if (released) {
        return;
      }
      released = true;
      const next = this.#waiting.get(terminal)?.shift();
      if (next) {
        next();
      } else {
        this.#waiting.delete(terminal);
      }
    };
  }
}
