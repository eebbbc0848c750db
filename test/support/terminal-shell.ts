import { startOnTerminal } from './pty.ts';

/** How a command ended that was typed into a shell. */
export interface Typed {
  code: number;
  /** What the terminal showed between the command and its end. */
  shown: string;
}

/** A person's shell with job control, on a terminal of its own. */
export interface TerminalShell {
  /** Of `script`, which holds the terminal. */
  readonly pid: number;
  /** Types: `\r` for the Enter key, `\x03` for Ctrl-C, `\x1a` for Ctrl-Z. */
  send(text: string): void;
  /** Types a command and waits for its end. */
  run(line: string): Promise<Typed>;
  /** Types a command; `end` waits for its end, which may also be that it was stopped or went to the background. */
  begin(line: string): { end(): Promise<Typed> };
  /** Waits until the terminal shows this after what the last `begin`, `run` or `waitFor` saw; gives all up to it. */
  waitFor(text: string | RegExp): Promise<string>;
  /** All the terminal showed so far. */
  shown(): string;
  /** The settings of the terminal: `stty -a`, in one line. */
  settings(): Promise<string>;
  /** Takes the terminal away: a hang-up for all that run on it. */
  dispose(): Promise<void>;
}

/** Opens a terminal with a shell and `env`. */
export function startTerminalShell(env: Readonly<Record<string, string>>): TerminalShell {
  const terminal = startOnTerminal('bash', ['--norc', '--noprofile', '--noediting', '-i'], {
    env: { ...env, TERM: 'xterm', PS1: '[$?]> ', HISTFILE: '' },
  });
  let seen = 0;
  const waitFor = async (text: string | RegExp) => {
    const pattern = typeof text === 'string' ? text : new RegExp(text.source, 'g');
    const from = seen;
    const find = (shown: string) => {
      if (typeof pattern === 'string') {
        const at = shown.indexOf(pattern, from);
        return at < 0 ? null : at + pattern.length;
      }
      pattern.lastIndex = from;
      const match = pattern.exec(shown);
      return match === null ? null : match.index + match[0].length;
    };
    const end = await terminal.waitUntil(
      find,
      `the text ${text} after ${JSON.stringify(terminal.shown().slice(from))}`,
    );
    seen = end;
    return terminal.shown().slice(from, end);
  };
  const prompt = /\[\d+\]> /;
  const ready = waitFor(prompt);
  const begin = (line: string) => {
    const typed = ready.then(() => {
      seen = terminal.shown().length;
      terminal.send(`${line}\r`);
    });
    return {
      end: async (): Promise<Typed> => {
        await typed;
        const shown = await waitFor(prompt);
        const code = Number(/\[(\d+)\]> $/.exec(shown)?.[1]);
        return { code, shown: shown.replace(prompt, '') };
      },
    };
  };
  const run = (line: string) => begin(line).end();
  return {
    pid: terminal.pid,
    send: (text) => terminal.send(text),
    begin,
    run,
    waitFor,
    shown: () => terminal.shown(),
    settings: async () =>
      (await run('stty -a')).shown
        .replace(/^.*stty -a\s+/s, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    dispose: () => terminal.dispose(),
  };
}
