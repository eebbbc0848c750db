import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** A program whose stdin and stdout are pipes. */
export type PipedChild = ChildProcessByStdio<Writable, Readable, null>;

/**
 * Starts one of Lanyard’s own programs: without a shell, in `/`, with no environment but `env`. `program`: absolute. Throws
 * Node’s error where it can’t be started.
 */
export async function spawnPiped(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<PipedChild> {
  return started(spawn(program, args, { ...alone, env: { ...env }, stdio: ['pipe', 'pipe', 'ignore'] }));
}

/** As `spawnPiped`; it reads `input` on descriptor 3, too, and writes `output` to descriptor 4. */
export async function spawnDoublyPiped(
  program: string,
  args: readonly string[],
): Promise<{ child: PipedChild; input: Writable; output: Readable }> {
  // Node types none of them where there are more than three.
  const child = spawn(program, args, {
    ...alone,
    stdio: ['pipe', 'pipe', 'ignore', 'pipe', 'pipe'],
  }) as PipedChild;
  const [, , , input, output] = child.stdio as readonly unknown[] as [null, null, null, Writable, Readable];
  input.on('error', () => undefined);
  output.on('error', () => undefined);
  return { child: await started(child), input, output };
}

const alone = { env: {}, cwd: '/', shell: false, windowsHide: true } as const;

async function started(child: PipedChild): Promise<PipedChild> {
  // It may end without reading what was written.
  child.stdin.on('error', () => undefined);
  await once(child, 'spawn');
  child.on('error', () => undefined);
  return child;
}
