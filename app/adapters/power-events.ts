import type { Disposable } from '../../main/base/disposables.ts';
import { createSystemEvents } from '../../main/native/system-events.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { SystemEvents } from '../../main/ports/system-events.ts';
import type { ElectronModule } from '../electron.ts';

/** Wakes and networks as the system tells them, beside what the broker itself sees. */
export function createPowerEvents({
  clock,
}: {
  powerMonitor: ElectronModule['powerMonitor'];
  clock: Clock;
}): SystemEvents & Disposable {
  return createSystemEvents({ clock });
}
