import type { Disposable } from '../../../base/disposables.ts';
import type { Clock } from '../../../ports/clock.ts';

/** How long the redirect address of a finished login still answers. */
const lateMilliseconds = 60_000;

/**
 * The redirect address of the last finished login: a late or reloaded tab is told how it ended, instead of the
 * browser's error. One address at a time, since the next login may need its port.
 */
export class LateTabs implements Disposable {
  readonly #clock: Pick<Clock, 'after'>;
  #last: { listener: Disposable; timer: Disposable } | null = null;
  #isOver = false;

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** Takes over a listener that answers each request itself. It ends with the next login, or after a minute. */
  async keep(listener: Disposable): Promise<void> {
    await this.end();
    if (this.#isOver) {
      await listener.dispose();
      return;
    }
    this.#last = { listener, timer: this.#clock.after(lateMilliseconds, () => void this.end()) };
  }

  /** Closes it now, so that its port is free. */
  async end(): Promise<void> {
    const last = this.#last;
    this.#last = null;
    await last?.timer.dispose();
    await last?.listener.dispose();
  }

  async dispose(): Promise<void> {
    this.#isOver = true;
    await this.end();
  }
}
