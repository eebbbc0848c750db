import type { Disposable } from '../../main/base/disposables.ts';
import { createListeners } from '../../main/base/listeners.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { DesktopFile } from './desktop-file.ts';

/** Pauses notifications for a while. */
export interface Pause extends Disposable {
  /** Milliseconds since 1970; null: not paused. */
  until(): number | null;
  /** Milliseconds from now; null: ends the pause. */
  pause(milliseconds: number | null): void;
  onChange(listener: () => void): Disposable;
}

export interface PauseDeps {
  clock: Clock;
  file: Pick<DesktopFile, 'current' | 'update'>;
}

/** The longest pause that the user can choose. A damaged file, or a clock that was set back, can't make it longer. */
const longestMilliseconds = 7 * 24 * 3_600_000;

/** The pause, even one that began before the app started. */
export function createPause({ clock, file }: PauseDeps): Pause {
  const changed = createListeners();
  let timer: Disposable | null = null;
  const until = () => {
    const { pausedUntil } = file.current();
    const left = pausedUntil === null ? 0 : pausedUntil - clock.now();
    return left > 0 && left <= longestMilliseconds ? pausedUntil : null;
  };
  const wait = () => {
    timer?.dispose();
    const end = until();
    timer = end === null ? null : clock.after(end - clock.now(), look);
  };
  const look = () => {
    wait();
    if (until() === null) {
      changed.tell();
    }
  };
  wait();
  return {
    until,
    pause(milliseconds) {
      file.update({ pausedUntil: milliseconds === null ? null : clock.now() + milliseconds });
      wait();
      changed.tell();
    },
    onChange: (listener) => changed.add(listener),
    dispose: () => timer?.dispose(),
  };
}
