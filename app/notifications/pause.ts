import type { Disposable } from '../../main/base/disposables.ts';
import { createListeners } from '../../main/base/listeners.ts';
import type { Clock } from '../../main/ports/clock.ts';

/** A person wants to be told nothing for a while. */
export interface Pause extends Disposable {
  /** Milliseconds since 1970; null: not paused. */
  until(): number | null;
  /** Milliseconds from now; null: over. */
  pause(milliseconds: number | null): void;
  onChange(listener: () => void): Disposable;
}

export function createPause({ clock }: { clock: Clock }): Pause {
  const changed = createListeners();
  let until: number | null = null;
  let timer: Disposable | null = null;
  const pause = (milliseconds: number | null) => {
    timer?.dispose();
    until = milliseconds === null ? null : clock.now() + milliseconds;
    timer = milliseconds === null ? null : clock.after(milliseconds, () => pause(null));
    changed.tell();
  };
  return {
    until: () => (until !== null && until > clock.now() ? until : null),
    pause,
    onChange: (listener) => changed.add(listener),
    dispose: () => timer?.dispose(),
  };
}
