import type { Disposable } from '../../base/disposables.ts';
import type { Clock } from '../../ports/clock.ts';

const pauseMilliseconds = 5_000;

/** Time on the processor, in microseconds, below which the process did nothing worth a look. */
const idleMicroseconds = 100_000;

/** What may lie on the heap beyond what was needed at the last look at all of it. */
const garbageBytes = 24 * 1024 * 1024;

export interface MemoryUpkeepDeps {
  clock: Pick<Clock, 'after'>;
  /** Takes a millisecond or so. */
  release(): void;
  /** Looks at the whole heap for garbage: some tens of milliseconds. */
  collect(): void;
  /** Bytes on the heap; the system's word unless told otherwise. */
  heapBytes?(): number;
  /** Microseconds that this process has had on the processor; the system's word unless told otherwise. */
  processorTime?(): number;
}

/**
 * Gives back what the allocator holds of memory that is free, while there is work and once after it. A burst of calls
 * otherwise leaves tens of megabytes with a process that lives for weeks. And has the heap looked through once a large
 * work is over, such as an import of thousands of clusters: where nothing more is asked for, the runtime lets hundreds
 * of megabytes of garbage lie.
 */
export function createMemoryUpkeep({
  clock,
  release,
  collect,
  heapBytes = usedHeap,
  processorTime = ownTime,
}: MemoryUpkeepDeps): Disposable {
  let seen = processorTime();
  let needed = 0;
  let timer: Disposable = clock.after(pauseMilliseconds, look);
  function look(): void {
    if (processorTime() - seen > idleMicroseconds) {
      release();
    } else if (heapBytes() - needed > garbageBytes) {
      collect();
      needed = heapBytes();
      release();
    }
    // Without what this look took.
    seen = processorTime();
    timer = clock.after(pauseMilliseconds, look);
  }
  return { dispose: () => timer.dispose() };
}

function usedHeap(): number {
  return process.memoryUsage().heapUsed;
}

function ownTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
