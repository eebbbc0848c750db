/** What opens, listens or schedules hands one of these out. */
export interface Disposable {
  dispose(): void | Promise<void>;
}

/** A list of things to end, ended in the reverse order of their adding. */
export class Disposables implements Disposable {
  readonly #items: Disposable[] = [];
  #ended = false;

  /** Registers `item` and hands it back, so that it can be registered on the line that makes it. */
  add<T extends Disposable>(item: T): T {
    if (this.#ended) {
      void item.dispose();
    } else {
      this.#items.push(item);
    }
    return item;
  }

  /** Ends everything once; the first error is thrown after all have been tried. */
  async dispose(): Promise<void> {
    this.#ended = true;
    let failure: unknown;
    for (const item of this.#items.splice(0).reverse()) {
      try {
        await item.dispose();
      } catch (error) {
        failure ??= error;
      }
    }
    if (failure !== undefined) {
      throw failure;
    }
  }
}
