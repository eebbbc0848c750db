/** Aborts its signal once so much time has passed, without the time in which it was paused. */
export class PausableLimit {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #leftMilliseconds: number;
  #runsSince = 0;
  #isOver = false;

  constructor(milliseconds: number) {
    this.#leftMilliseconds = milliseconds;
    this.resume();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  pause(): void {
    if (this.#timer) {
      clearTimeout(this.#timer);
      this.#timer = null;
      this.#leftMilliseconds -= performance.now() - this.#runsSince;
    }
  }

  resume(): void {
    if (!this.#isOver && !this.#timer) {
      this.#runsSince = performance.now();
      this.#timer = setTimeout(() => this.abort(), Math.max(0, this.#leftMilliseconds));
    }
  }

  /** Now. */
  abort(): void {
    this.#controller.abort();
  }

  /** It never aborts by itself after that. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer ?? undefined);
  }
}
