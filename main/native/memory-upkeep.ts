import type { Disposable } from '../base/disposables.ts';
import type { Clock } from '../ports/clock.ts';

const pauseMilliseconds = 5_000;

/** Time on the processor, in microseconds, below which the process did nothing worth a look. */
const idleMicroseconds = 100_000;

export interface MemoryUpkeepDeps {
  clock: Pick<Clock, 'after'>;
  /** Takes a millisecond or so. */
  release(): void;
  /** Microseconds that this process has had on the processor; the system's word unless told otherwise. */
  processorTime?(): number;
}

/**
 * Gives back what the allocator holds of memory that is free, while there is work and once after it. A burst of calls
 * otherwise leaves tens of megabytes with a process that lives for weeks.
 */
export function createMemoryUpkeep({
  clock,
  release,
  processorTime = ownTime,
}: MemoryUpkeepDeps): Disposable {
  let seen = processorTime();
  let timer: Disposable = clock.after(pauseMilliseconds, look);
  function look(): void {
    const now = processorTime();
    if (now - seen > idleMicroseconds) {
      release();
    }
    seen = now;
    timer = clock.after(pauseMilliseconds, look);
  }
  return { dispose: () => timer.dispose() };
}

function ownTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
