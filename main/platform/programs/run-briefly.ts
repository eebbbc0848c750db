import { spawn } from 'node:child_process';

export type BriefRun =
  | { ok: true; stdout: string }
  | { ok: false; reason: 'notStarted' | 'failed' | 'timedOut' | 'tooLarge' };

export interface BriefRunOptions {
  /** The program's complete environment. */
  environment: Readonly<Record<string, string>>;
  limitMilliseconds: number;
  signal?: AbortSignal | undefined;
}

const outputBytes = 256 * 1024;

/**
 * Runs a program by its absolute path, without a shell, a terminal or standard input, and returns what it wrote to
 * stdout. Never throws. When it resolves, the program and what it started have been told to end.
 */
export function runBriefly(
  path: string,
  args: readonly string[],
  { environment, limitMilliseconds, signal }: BriefRunOptions,
): Promise<BriefRun> {
  return new Promise((resolve) => {
    // A separate group: what a wrapper script started ends with it.
    const grouped = process.platform !== 'win32';
    const child = spawn(path, args, {
      env: environment,
      cwd: '/',
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: grouped,
      shell: false,
      windowsHide: true,
    });
    const pieces: Buffer[] = [];
    let length = 0;
    const finish = (outcome: BriefRun) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      child.stdout.destroy();
      end(child.pid, grouped, () => child.kill('SIGKILL'));
      resolve(outcome);
    };
    const stop = () => finish({ ok: false, reason: 'timedOut' });
    const timer = setTimeout(stop, limitMilliseconds);
    signal?.addEventListener('abort', stop, { once: true });
    child.stdout.on('data', (piece: Buffer) => {
      length += piece.length;
      pieces.push(piece);
      if (length > outputBytes) {
        finish({ ok: false, reason: 'tooLarge' });
      }
    });
    child.once('error', () => finish({ ok: false, reason: 'notStarted' }));
    child.once('close', (code) =>
      finish(
        code === 0
          ? { ok: true, stdout: Buffer.concat(pieces).toString('utf8') }
          : { ok: false, reason: 'failed' },
      ),
    );
    if (signal?.aborted) {
      stop();
    }
  });
}

function end(pid: number | undefined, grouped: boolean, alone: () => void): void {
  if (pid === undefined) {
    return;
  }
  try {
    if (grouped) {
      process.kill(-pid, 'SIGKILL');
    } else {
      alone();
    }
  } catch {
    // It has ended, and what it started with it.
  }
}
