import type { Disposable } from './disposables.ts';

/** Who wants to hear of something. */
export interface Listeners<Args extends unknown[]> {
  add(listener: (...args: Args) => void): Disposable;
  tell(...args: Args): void;
}

/** The same function added twice is told twice; one that is taken out while others are told isn't told any more. */
export function createListeners<Args extends unknown[] = []>(): Listeners<Args> {
  const listeners = new Set<(...args: Args) => void>();
  return {
    add(listener) {
      const own = (...args: Args) => listener(...args);
      listeners.add(own);
      return { dispose: () => void listeners.delete(own) };
    },
    tell(...args) {
      for (const listener of [...listeners]) {
        if (listeners.has(listener)) {
          listener(...args);
        }
      }
    },
  };
}
