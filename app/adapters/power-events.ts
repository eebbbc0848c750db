import { type Disposable, Disposables } from '../../main/base/disposables.ts';
import { createSystemEvents } from '../../main/platform/native/system-events.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { SystemEvents } from '../../main/ports/system-events.ts';
import type { ElectronModule } from '../electron.ts';

export interface PowerEventsDeps {
  powerMonitor: ElectronModule['powerMonitor'];
  clock: Clock;
  platform: NodeJS.Platform;
  /** The addresses of the machine; the system's unless told otherwise. */
  addresses?(): readonly string[];
}

/** On Linux Electron tells nothing of the screen's lock, but answers when asked (`getSystemIdleState`). */
const screenMilliseconds = 3_000;

/** Only whether it is locked is of interest, not who is idle: a second is as good as any other. */
const idleThresholdSeconds = 1;

/** Sleeps, wakes, networks and the screen's lock from the system, in addition to what the broker detects itself. */
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
  // A network that came without a listener counts from the moment that there is one.
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

/** Tells each change of an answer that has to be asked for. */
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
