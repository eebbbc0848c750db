import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';

export interface RunOptions {
  /** Added to `baseEnvironment()`; `undefined` removes a variable. Nothing else of the test's own is passed on. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Written to stdin, which is then closed. Without it stdin is /dev/null. */
  input?: string | Uint8Array;
  cwd?: string;
  /** After this the whole process group is killed and `timedOut` is set; 60,000 unless told otherwise. */
  timeoutMilliseconds?: number;
  /** A descriptor that its stderr goes to; else it is kept. */
  stderr?: number;
  uid?: number;
  gid?: number;
}

export interface Ended {
  /** Null where a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  milliseconds: number;
  timedOut: boolean;
}

/** A program under way. It leads a process group and session of its own: it has no terminal. */
export interface Running {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  isRunning(): boolean;
  stdout(): string;
  stderr(): string;
  write(text: string): void;
  closeInput(): void;
  /** Waits for a line of stdout or stderr, also one already written. Throws with all output when it can't come. */
  waitForLine(pattern: RegExp, timeoutMilliseconds?: number): Promise<RegExpExecArray>;
  /** Waits until `find` gives something, looking after each piece of output. */
  waitFor<T>(find: () => T | null, what: string, timeoutMilliseconds?: number): Promise<T>;
  /** Signals this one process. */
  kill(signal?: NodeJS.Signals): void;
  /** Kills its whole group, and resolves when it has ended. */
  dispose(): Promise<void>;
}

/** What a program gets of this process's environment: this Node first on PATH, and no more. */
export function baseEnvironment(): Record<string, string> {
  const folders = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];
  return { PATH: folders.join(':'), LANG: 'C.UTF-8', TERM: 'dumb' };
}

/** Where Node keeps what it compiled (NODE_COMPILE_CACHE): a program of a test may read hundreds of sources at each start. */
export const compileCache = join(import.meta.dirname, '..', '..', '.cache', 'node-compile');

function environment(command: string, added: RunOptions['env']): Record<string, string> {
  const ofNode = command === process.execPath ? { NODE_COMPILE_CACHE: compileCache } : {};
  const all = { ...baseEnvironment(), ...ofNode, ...added };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}

function waitForOutput<T>(
  child: ChildProcess,
  ended: Promise<Ended>,
  find: () => T | null,
  describe: () => string,
  timeoutMilliseconds: number,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      child.stdout?.off('data', look);
      child.stderr?.off('data', look);
      finish();
    };
    const look = () => {
      const found = find();
      if (found !== null) {
        settle(() => resolve(found));
      }
    };
    const fail = (why: string) => {
      look();
      settle(() => reject(new Error(`${why}; ${describe()}`)));
    };
    const timer = setTimeout(() => fail(`nothing after ${timeoutMilliseconds} ms`), timeoutMilliseconds);
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    ended.then(
      () => fail('the process ended first'),
      (cause) => settle(() => reject(cause)),
    );
    look();
  });
}

/** Starts a program. Nothing is killed by itself: dispose it. */
export function start(
  command: string,
  args: readonly string[] = [],
  options: Omit<RunOptions, 'timeoutMilliseconds'> = {},
): Running {
  const startedAt = performance.now();
  const settings: SpawnOptions = {
    env: environment(command, options.env),
    detached: true,
    stdio: ['pipe', 'pipe', options.stderr ?? 'pipe'],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
  };
  const child = spawn(command, args, settings);
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  // A program may end without reading its input.
  child.stdin?.on('error', () => undefined);
  if (options.input !== undefined) {
    child.stdin?.end(options.input);
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`${command} could not be started`, { cause })));
    child.once('close', (code, signal) => {
      const milliseconds = performance.now() - startedAt;
      resolve({ code, signal, ...output, milliseconds, timedOut: false });
    });
  });
  // Whoever never looks at the end must not crash the test by it.
  ended.catch(() => undefined);
  const pid = child.pid ?? 0;
  const isRunning = () => pid !== 0 && child.exitCode === null && child.signalCode === null;
  const waitFor = <T>(find: () => T | null, what: string, timeoutMilliseconds = 120_000): Promise<T> => {
    const describe = () => `waited for ${what}; stdout: ${output.stdout}; stderr: ${output.stderr}`;
    return waitForOutput(child, ended, find, describe, timeoutMilliseconds);
  };
  return {
    pid,
    ended,
    isRunning,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    write: (text) => void child.stdin?.write(text),
    closeInput: () => void child.stdin?.end(),
    waitFor,
    waitForLine: (pattern, timeoutMilliseconds) => {
      const find = () => {
        const lines = `${output.stdout}\n${output.stderr}`.split(/\r?\n/);
        return lines.map((line) => pattern.exec(line)).find((match) => match !== null) ?? null;
      };
      return waitFor(find, `a line like ${pattern}`, timeoutMilliseconds);
    },
    kill: (signal = 'SIGTERM') => {
      if (isRunning()) {
        child.kill(signal);
      }
    },
    dispose: async () => {
      if (pid !== 0) {
        killGroup(pid, 'SIGKILL');
        await ended.catch(() => undefined);
      }
    },
  };
}

/** Runs a program to its end. Rejects only where it can't be started. */
export async function run(
  command: string,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<Ended> {
  const running = start(command, args, options);
  if (options.input === undefined) {
    running.closeInput();
  }
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(running.pid, 'SIGKILL');
  }, options.timeoutMilliseconds ?? 120_000);
  try {
    return { ...(await running.ended), timedOut };
  } finally {
    clearTimeout(timer);
  }
}
