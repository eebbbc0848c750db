/**
 * Runs at most one piece of work per key at a time; all who ask meanwhile share its outcome (rule: single-flight).
 * Nothing is kept after the work has ended: the next call starts anew.
 */
export class SingleFlight<Key, Value> {
  readonly #running = new Map<Key, Promise<Value>>();

  /** Joins the work under way for `key`, or starts `work`. */
  run(key: Key, work: () => Promise<Value>): Promise<Value> {
    const running = this.#running.get(key);
    if (running) {
      return running;
    }
    const started = Promise.resolve()
      .then(work)
      .finally(() => {
        this.#running.delete(key);
      });
    this.#running.set(key, started);
    return started;
  }

  /** The work under way for `key`; null: none. */
  running(key: Key): Promise<Value> | null {
    return this.#running.get(key) ?? null;
  }

  /** What runs now. */
  underWay(): readonly (readonly [Key, Promise<Value>])[] {
    return [...this.#running];
  }

  /** Resolves when everything that runs now has ended, however it ended. `counts`: for these keys alone. */
  async settled(counts: (key: Key) => boolean = () => true): Promise<void> {
    await Promise.allSettled(this.underWay().map(([key, work]) => counts(key) && work));
  }
}
