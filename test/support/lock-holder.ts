import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A process that holds a file’s lock (flock(2)). */
export interface LockHolder {
  pid: number;
  /** Lets it go, as the system does for a killed process. */
  release(): Promise<void>;
}

/** Takes the lock; with `shared` beside others that do. The file is made where it is missing. */
export async function holdLock(path: string, { shared = false } = {}): Promise<LockHolder> {
  const words = ['--no-fork', shared ? '--shared' : '--exclusive', path, 'sh', '-c', 'echo held; exec cat'];
  const child = spawn('flock', words, { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    pid: child.pid ?? 0,
    async release() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
    },
  };
}
