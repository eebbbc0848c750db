import { type Running, type RunOptions, start } from './processes.ts';

/** A program with a terminal of its own, which echoes what is typed unless the program turns that off. */
export interface OnTerminal {
  readonly pid: number;
  readonly ended: Running['ended'];
  /** Types; add `\r` for the Enter key, `\x03` for Ctrl-C. */
  send(text: string): void;
  /** All the terminal showed so far, both output streams and echo. */
  shown(): string;
  /** Waits until the terminal has shown this, and hands back what it showed up to the end of it. */
  waitForText(text: string | RegExp, timeoutMilliseconds?: number): Promise<string>;
  /** Waits until `find` gives something of what was shown. */
  waitUntil<T>(find: (shown: string) => T | null, what: string): Promise<T>;
  dispose(): Promise<void>;
}

/** For a POSIX shell: nothing inside single quotes is special but the single quote. */
export function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Runs a program under a pseudo-terminal made by util-linux's `script`; its exit code is the program's. */
export function startOnTerminal(
  command: string,
  args: readonly string[] = [],
  options: Pick<RunOptions, 'env' | 'cwd'> = {},
): OnTerminal {
  // `exec`: the program itself, not a shell, is the child that gets the terminal's signals.
  const line = `exec ${[command, ...args].map(quoteForShell).join(' ')}`;
  const running = start('script', ['-qef', '--echo', 'always', '-c', line, '/dev/null'], {
    ...options,
    env: { ...options.env, SHELL: '/bin/sh' },
  });
  const waitForText = async (text: string | RegExp, timeoutMilliseconds = 120_000): Promise<string> => {
    const find = (): string | null => {
      const shown = running.stdout();
      if (typeof text === 'string') {
        const at = shown.indexOf(text);
        return at < 0 ? null : shown.slice(0, at + text.length);
      }
      const match = text.exec(shown);
      return match === null ? null : shown.slice(0, match.index + match[0].length);
    };
    return running.waitFor(find, `the text ${text}`, timeoutMilliseconds);
  };
  return {
    pid: running.pid,
    ended: running.ended,
    send: (text) => running.write(text),
    shown: () => running.stdout(),
    waitForText,
    waitUntil: (find, what) => running.waitFor(() => find(running.stdout()), what),
    dispose: () => running.dispose(),
  };
}
