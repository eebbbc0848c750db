import { readdirSync, readlinkSync } from 'node:fs';
import { until } from './stage.ts';

/** Ends every broker that a helper started in this home, until none is left. */
export async function endStartedBrokers(home: string): Promise<void> {
  await until(() => {
    // Again and again: a helper that was slow to begin finds the lock free once the first has ended.
    const left = processesIn(home);
    left.forEach(end);
    return left.length === 0 ? true : null;
  }, 'the end of all that were started');
}

/** Those whose folder it is: a broker that a helper started lies in its home. */
function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false; // it has just ended, or is another user's
      }
    })
    .map(Number);
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It has ended.
  }
}
