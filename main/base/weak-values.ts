/**
 * Objects by key, each only as long as something else refers to it: whoever asks meanwhile gets the same one. What an
 * object contains is not kept in memory for the sake of a later request (rule: service-account-token).
 */
export class WeakValues<Value extends object> {
  readonly #refs = new Map<string, WeakRef<Value>>();
  readonly #ended = new FinalizationRegistry<string>((key) => {
    // A new object may have the key by then.
    if (this.#refs.get(key)?.deref() === undefined) {
      this.#refs.delete(key);
    }
  });

  /** The object of `key`, or the one that `make` makes. */
  of(key: string, make: () => Value): Value {
    const known = this.#refs.get(key)?.deref();
    if (known) {
      return known;
    }
    const made = make();
    this.#refs.set(key, new WeakRef(made));
    this.#ended.register(made, key);
    return made;
  }
}
