import type { Disposable } from '../../main/base/disposables.ts';
import { createListeners } from '../../main/base/listeners.ts';
import type { DesktopView } from '../../main/contract/ui/state.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { Log } from '../../main/ports/log.ts';

/** Newer versions of the app. Nothing is fetched or installed without a person's word. */
export interface Updates extends Disposable {
  view(): DesktopView['update'];
  onChange(listener: () => void): Disposable;
  /** Throws BrokerError. */
  check(signal: AbortSignal): Promise<void>;
  fetch(signal: AbortSignal): Promise<void>;
  install(): Promise<void>;
}

export interface UpdatesDeps {
  clock: Clock;
  log: Log;
  /** What an end of the app would break off now, in a clause; null: nothing. */
  busy(): string | null;
}

export function createUpdates(_deps: UpdatesDeps): Updates {
  const changed = createListeners();
  return {
    view: () => ({ kind: 'off' }),
    onChange: (listener) => changed.add(listener),
    check: async () => undefined,
    fetch: async () => undefined,
    install: async () => undefined,
    dispose: () => undefined,
  };
}
