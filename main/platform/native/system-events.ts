import { networkInterfaces } from 'node:os';
import type { Disposable } from '../../base/disposables.ts';
import { createListeners } from '../../base/listeners.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SystemEvents } from '../../ports/system-events.ts';

/** How often the state is checked. Timers stop while the machine sleeps, so it notices a wake within this time. */
const tickMilliseconds = 10_000;

/** So much more than a tick between two looks is a sleep: or a machine too busy to run anything, which is as good. */
const sleepMilliseconds = 20_000;

export interface SystemEventsDeps {
  clock: Clock;
  /** The addresses of the machine; the system's unless told otherwise. */
  addresses?(): readonly string[];
}

/** What the broker detects itself, and may be told earlier by others. */
export interface SeenEvents extends SystemEvents, Disposable {
  /** The system says that the machine is about to sleep. */
  sleeps(): void;
  /** The system says that the machine woke: told at once, and not again when the next look finds it out. */
  woke(): void;
  /** Looks now in place of at the next tick. */
  look(): void;
  /** The system says that the screen was locked. */
  screenLocked(): void;
}

/** Notices wakes and networks by looking, for a broker without a desktop around it. */
export function createSystemEvents({ clock, addresses = ownAddresses }: SystemEventsDeps): SeenEvents {
  const onSleep = createListeners();
  const onWake = createListeners();
  const onNetwork = createListeners();
  const onScreenLock = createListeners();
  let seenAt = clock.boottime();
  // Set by the user or NTP: what was planned by the wall clock must be checked again, as after a sleep.
  let wallAhead = clock.now() - seenAt;
  let known = new Set(addresses());
  let toldAt = Number.NEGATIVE_INFINITY;
  let timer: Disposable = clock.after(tickMilliseconds, tick);

  function tick(): void {
    timer = clock.after(tickMilliseconds, tick);
    look();
  }
  function look(): void {
    const now = clock.boottime();
    const ahead = clock.now() - now;
    const slept = now - seenAt > tickMilliseconds + sleepMilliseconds;
    const wasSet = Math.abs(ahead - wallAhead) > sleepMilliseconds;
    const current = new Set(addresses());
    const isNew = [...current].some((address) => !known.has(address));
    seenAt = now;
    wallAhead = ahead;
    known = current;
    if (slept || wasSet) {
      tellWake(now);
    }
    if (isNew) {
      onNetwork.tell();
    }
  }
  function tellWake(now: number): void {
    toldAt = now;
    onWake.tell();
  }
  return {
    onSleep: (listener) => onSleep.add(listener),
    onWake: (listener) => onWake.add(listener),
    onNetwork: (listener) => onNetwork.add(listener),
    onScreenLock: (listener) => onScreenLock.add(listener),
    look,
    sleeps: () => onSleep.tell(),
    woke() {
      look();
      // A timer that was due in the sleep runs before the system's word comes, and has told it just now.
      const now = clock.boottime();
      if (now - toldAt > tickMilliseconds) {
        tellWake(now);
      }
    },
    screenLocked: () => onScreenLock.tell(),
    dispose: () => timer.dispose(),
  };
}

/** Without loopback and link-local ones, which come and go without a network. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
    .map(({ address }) => address);
}
