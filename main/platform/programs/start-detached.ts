import { spawn } from 'node:child_process';

export interface ProgramToStart {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
}

/**
 * Starts a program of the user’s that stays when the broker ends. True: it runs after `patience` (milliseconds), or has
 * ended well before. Never through a shell.
 */
export function startDetached(
  { command, args, env, cwd }: ProgramToStart,
  patience: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    // A separate session: the program stays when the broker ends.
    const child = spawn(command, [...args], {
      env,
      cwd,
      stdio: 'ignore',
      detached: true,
      shell: false,
      windowsHide: true,
    });
    const timer = setTimeout(() => resolve(true), patience);
    const ended = (well: boolean) => {
      clearTimeout(timer);
      resolve(well);
    };
    child.once('error', () => ended(false));
    child.once('exit', (code) => ended(code === 0));
    child.unref();
  });
}
