import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A process that holds a file’s lock (flock(2)). */
export interface LockHolder {
  pid: number;
  /** What its command printed. */
  output: string;
  /** Kills it: the system lets its lock go. */
  release(): Promise<void>;
}

/**
 * Takes the lock; with `shared` beside others that do. The file is made where it is missing. `command`: what the process
 * runs then, as a client runs its exec plugin; it prints something.
 */
export async function holdLock(
  path: string,
  {
    shared = false,
    command = ['echo', 'held'],
    env = {},
  }: { shared?: boolean; command?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<LockHolder> {
  // The same process all along: flock becomes the shell, and that becomes cat.
  const words = ['--no-fork', shared ? '--shared' : '--exclusive', path, 'sh', '-c', '"$@"; exec cat', 'sh'];
  const child = spawn('flock', [...words, ...command], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], ...env },
  });
  const ended = once(child, 'exit');
  const [output] = await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error('the process that holds the lock has ended'))),
  ]);
  return {
    pid: child.pid ?? 0,
    output: String(output),
    async release() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
