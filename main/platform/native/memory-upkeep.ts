import type { Disposable } from '../../base/disposables.ts';
import type { Clock } from '../../ports/clock.ts';

const pauseMilliseconds = 5_000;

/** Time on the processor, in microseconds, below which the process did nothing worth a look. */
const idleMicroseconds = 100_000;

/** Allowed growth of the heap since the last full garbage collection. */
const garbageBytes = 24 * 1024 * 1024;

export interface MemoryUpkeepDeps {
  clock: Pick<Clock, 'after'>;
  /** Takes a millisecond or so. */
  release(): void;
  /** Runs a full garbage collection: some tens of milliseconds. */
  collect(): void;
  /** Bytes on the heap; the system's word unless told otherwise. */
  heapBytes?(): number;
  /** Microseconds that this process has had on the processor; the system's word unless told otherwise. */
  processorTime?(): number;
}

/**
 * Returns the allocator's free memory, while there is work and once after it. A burst of calls otherwise leaves tens
 * of megabytes with a process that runs for weeks. Also collects garbage once a large task is over, such as an import
 * of thousands of clusters: without further allocations, the runtime keeps hundreds of megabytes of garbage.
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
