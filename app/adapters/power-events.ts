import { type Disposable, Disposables } from '../../main/base/disposables.ts';
import { createSystemEvents } from '../../main/platform/native/system-events.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { SystemEvents } from '../../main/ports/system-events.ts';
import type { ElectronModule } from '../electron.ts';

export interface PowerEventsDeps {
  powerMonitor: ElectronModule['powerMonitor'];
  clock: Clock;
  platform: NodeJS.Platform;
  /** The addresses of the machine. Default: the system's. */
  addresses?(): readonly string[];
}

/** On Linux Electron has no event for the screen's lock, so this interval polls it (`getSystemIdleState`). */
const screenMilliseconds = 3_000;

/** Only `locked` matters, not `idle`, so any threshold works. */
const idleThresholdSeconds = 1;

/** Sleep, wake, network and screen lock events from the system, in addition to those that the broker detects itself. */
export function createPowerEvents({
  powerMonitor,
  clock,
  platform,
  addresses,
}: PowerEventsDeps): SystemEvents & Disposable {
  const disposables = new Disposables();
  const seen = disposables.add(createSystemEvents({ clock, ...(addresses && { addresses }) }));
  const sleeps = () => seen.sleeps();
  const woke = () => seen.woke();
  const look = () => seen.look();
  const locked = () => seen.screenLocked();
  powerMonitor.on('suspend', sleeps);
  powerMonitor.on('resume', woke);
  // Checks for a wake or a new network now, instead of at the next tick.
  powerMonitor.on('unlock-screen', look);
  powerMonitor.on('lock-screen', locked);
  disposables.add({
    dispose() {
      powerMonitor.removeListener('suspend', sleeps);
      powerMonitor.removeListener('resume', woke);
      powerMonitor.removeListener('unlock-screen', look);
      powerMonitor.removeListener('lock-screen', locked);
    },
  });
  if (platform === 'linux') {
    disposables.add(
      watchScreen(() => powerMonitor.getSystemIdleState(idleThresholdSeconds) === 'locked', {
        clock,
        locked,
        unlocked: look,
      }),
    );
  }
  return {
    onSleep: (listener) => seen.onSleep(listener),
    onWake: (listener) => seen.onWake(listener),
    onNetwork: (listener) => seen.onNetwork(listener),
    onScreenLock: (listener) => seen.onScreenLock(listener),
    dispose: () => disposables.dispose(),
  };
}

/** Polls a state, and reports each change. */
function watchScreen(
  isLocked: () => boolean,
  { clock, locked, unlocked }: { clock: Clock; locked(): void; unlocked(): void },
): Disposable {
  let before = isLocked();
  const look = () => {
    timer = clock.after(screenMilliseconds, look);
    const now = isLocked();
    if (now !== before) {
      before = now;
      (now ? locked : unlocked)();
    }
  };
  let timer = clock.after(screenMilliseconds, look);
  return { dispose: () => timer.dispose() };
}
