import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** A program whose stdin and stdout are pipes. */
export type PipedChild = ChildProcessByStdio<Writable, Readable, null>;

/**
 * Starts one of Lanyard’s own programs: without a shell and an environment, in `/`. `program`: absolute. Throws Node’s
 * error where it can’t be started.
 */
export async function spawnPiped(program: string, args: readonly string[]): Promise<PipedChild> {
  const child = spawn(program, args, {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
    shell: false,
    windowsHide: true,
  });
  // It may end without reading what was written.
  child.stdin.on('error', () => undefined);
  await once(child, 'spawn');
  child.on('error', () => undefined);
  return child;
}
