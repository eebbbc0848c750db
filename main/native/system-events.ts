import { networkInterfaces } from 'node:os';
import type { Disposable } from '../base/disposables.ts';
import type { Clock } from '../ports/clock.ts';
import type { SystemEvents } from '../ports/system-events.ts';

/** How often is looked. Timers stand still while the machine sleeps, so it notices a wake within this time. */
const tickMilliseconds = 10_000;

/** So much more than a tick between two looks is a sleep: or a machine too busy to run anything, which is as good. */
const sleepMilliseconds = 20_000;

export interface SystemEventsDeps {
  clock: Clock;
  /** The addresses of the machine; the system's unless told otherwise. */
  addresses?(): readonly string[];
}

/** Notices wakes and networks by looking, for a broker without a desktop around it. */
export function createSystemEvents({
  clock,
  addresses = ownAddresses,
}: SystemEventsDeps): SystemEvents & Disposable {
  const onWake = new Set<() => void>();
  const onNetwork = new Set<() => void>();
  let seenAt = clock.boottime();
  // Set by a person or NTP: what was planned by the wall clock is to be looked at again, as after a sleep.
  let wallAhead = clock.now() - seenAt;
  let known = new Set(addresses());
  let timer: Disposable = clock.after(tickMilliseconds, look);
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
    timer = clock.after(tickMilliseconds, look);
    for (const listener of slept || wasSet ? [...onWake] : []) {
      listener();
    }
    for (const listener of isNew ? [...onNetwork] : []) {
      listener();
    }
  }
  return {
    onWake: (listener) => subscribe(onWake, listener),
    onNetwork: (listener) => subscribe(onNetwork, listener),
    dispose: () => timer.dispose(),
  };
}

function subscribe(listeners: Set<() => void>, listener: () => void): Disposable {
  const own = () => listener();
  listeners.add(own);
  return { dispose: () => void listeners.delete(own) };
}

/** Without loopback and link-local ones, which come and go without a network. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
    .map(({ address }) => address);
}
