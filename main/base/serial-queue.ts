/** Runs pieces of work one after the other, in the order they were given. A failure ends only its own piece. */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work, work);
    this.#tail = result.catch(() => undefined);
    return result;
  }

  /** Resolves when everything that was given so far has ended. */
  async drain(): Promise<void> {
    await this.#tail;
  }
}
