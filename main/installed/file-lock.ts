import { setTimeout as delay } from 'node:timers/promises';
import { BrokerError } from '../contract/broker-error.ts';

/** A lock on a file, until it is released or the process ends. */
export interface FileLock {
  acquire(path: string): { release(): void } | null;
}

const limitMilliseconds = 5_000;
const stepMilliseconds = 20;

/**
 * Runs work under the lock on the file at `path`: the broker and `lanyard agent --install` write the same list. Throws
 * BrokerError `installed.busy` (reason timedOut) where another process has it for 5 s.
 */
export function withFileLock(path: string, { acquire }: FileLock): <T>(work: () => Promise<T>) => Promise<T> {
  return async (work) => {
    let held = acquire(path);
    for (let waited = 0; held === null; waited += stepMilliseconds) {
      if (waited >= limitMilliseconds) {
        throw new BrokerError('installed.busy', 'another lanyard is installing or uninstalling', {
          reason: 'timedOut',
          hint: 'try again when it is done',
        });
      }
      await delay(stepMilliseconds);
      held = acquire(path);
    }
    try {
      return await work();
    } finally {
      held.release();
    }
  };
}
