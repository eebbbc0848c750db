import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const betweenLooksMilliseconds = 200;

/**
 * Does `work` while no other process does it under the same `lock`, a file that says who does: suites run side by side,
 * and what one fetches or builds must not be seen half done by another. A lock of a process that ended counts no more.
 */
export async function oneAtATime<T>(lock: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(lock), { recursive: true });
  while (!take(lock)) {
    if (!isAlive(holder(lock))) {
      rmSync(lock, { force: true });
    }
    await wait(betweenLooksMilliseconds);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    const file = openSync(lock, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) {
      return false;
    }
    throw error;
  }
}

/** Null: it says nothing yet, or is gone. */
function holder(lock: string): number | null {
  try {
    return Number(readFileSync(lock, 'utf8')) || null;
  } catch {
    return null;
  }
}

function isAlive(pid: number | null): boolean {
  try {
    return pid === null || process.kill(pid, 0);
  } catch (error) {
    return !isCode(error, 'ESRCH');
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
