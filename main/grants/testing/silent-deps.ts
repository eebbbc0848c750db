import type { Disposable } from '../../base/disposables.ts';
import type { HistoryEvent, Recorder } from '../../ports/history.ts';
import type { SystemEvents } from '../../ports/system-events.ts';

/** A recorder that keeps its events. */
export class KeptEvents implements Recorder {
  readonly all: HistoryEvent[] = [];

  record(event: HistoryEvent): void {
    this.all.push(event);
  }

  of<Kind extends HistoryEvent['kind']>(kind: Kind): Extract<HistoryEvent, { kind: Kind }>[] {
    return this.all.filter((event): event is Extract<HistoryEvent, { kind: Kind }> => event.kind === kind);
  }
}

/** A machine that falls asleep, wakes and finds networks when a test says so. */
export class ManualEvents implements SystemEvents {
  readonly #sleep = new Set<() => void>();
  readonly #wake = new Set<() => void>();
  readonly #network = new Set<() => void>();

  onSleep(listener: () => void): Disposable {
    this.#sleep.add(listener);
    return { dispose: () => void this.#sleep.delete(listener) };
  }

  onWake(listener: () => void): Disposable {
    this.#wake.add(listener);
    return { dispose: () => void this.#wake.delete(listener) };
  }

  onNetwork(listener: () => void): Disposable {
    this.#network.add(listener);
    return { dispose: () => void this.#network.delete(listener) };
  }

  onScreenLock(): Disposable {
    return { dispose: () => undefined };
  }

  sleep(): void {
    for (const listener of this.#sleep) {
      listener();
    }
  }

  wake(): void {
    for (const listener of this.#wake) {
      listener();
    }
  }

  network(): void {
    for (const listener of this.#network) {
      listener();
    }
  }

  get listeners(): number {
    return this.#sleep.size + this.#wake.size + this.#network.size;
  }
}
