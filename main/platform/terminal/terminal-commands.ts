import { win32 } from 'node:path';
import { posixQuoted } from '../../domain/text/shell-line.ts';
import type { TerminalProgram, TerminalSession } from '../../ports/terminal-windows.ts';
import { browserEnvironment, type Environment } from '../browser/browser-commands.ts';

export interface TerminalCommand {
  command: string;
  args: readonly string[];
}

/**
 * What runs in the terminal. The text is always the same: what is different comes as arguments, so that no name can be
 * a command. The kubeconfig goes with the shell: it is this terminal’s alone.
 */
const script = `printf '%s\\n' "$1"
KUBECONFIG=$2 "\${SHELL:-/bin/sh}"
rm -f -- "$2"`;
const unixWords = ({ heading, kubeconfig }: TerminalSession) =>
  ['/bin/sh', '-c', script, 'lanyard', heading, kubeconfig] as const;

/** The heading is a variable, for the same reason. */
const headingVariable = 'LANYARD_HEADING';
const windowsWords = ['-NoLogo', '-NoExit', '-Command', `Write-Host $env:${headingVariable}`] as const;

/**
 * What opens a terminal, the first that exists; none but the chosen one where one was chosen. `script`: for macOS, a
 * file with the text of `macScript`, which Terminal runs.
 */
export function terminalCommands(
  platform: NodeJS.Platform,
  env: Environment,
  session: TerminalSession,
  { program, script: file }: { program?: TerminalProgram | undefined; script: string | null },
): readonly TerminalCommand[] {
  const [chosen, ...more] = program ?? [null];
  if (platform === 'darwin') {
    const words = file === null ? [] : [file];
    return chosen === null
      ? [{ command: '/usr/bin/open', args: ['-a', 'Terminal', ...words] }]
      : [{ command: chosen, args: [...more, ...words] }];
  }
  if (platform === 'win32') {
    const system = win32.join(env['SystemRoot'] ?? 'C:\\Windows', 'System32');
    const shell = win32.join(system, 'WindowsPowerShell', 'v1.0', 'powershell.exe');
    return chosen === null
      ? [{ command: win32.join(system, 'conhost.exe'), args: [shell, ...windowsWords] }]
      : [{ command: chosen, args: [...more, shell, ...windowsWords] }];
  }
  const words = unixWords(session);
  if (chosen !== null) {
    return [{ command: chosen, args: [...more, ...words] }];
  }
  return [
    // The user’s choice first: of the desktop (xdg-terminal-exec), of Debian’s alternatives.
    { command: 'xdg-terminal-exec', args: words },
    { command: 'x-terminal-emulator', args: ['-e', ...words] },
    { command: 'gnome-terminal', args: ['--', ...words] },
    { command: 'konsole', args: ['-e', ...words] },
    { command: 'xfce4-terminal', args: ['-x', ...words] },
    { command: 'xterm', args: ['-e', ...words] },
  ];
}

/** The file that macOS’s Terminal runs: it can’t be told a command. It removes itself. */
export function macScript(session: TerminalSession): string {
  const [shell, ...words] = unixWords(session);
  return `#!/bin/sh\nrm -f -- "$0"\nexec ${[shell, ...words].map(posixQuoted).join(' ')}\n`;
}

/** Beside what any program with a window needs. */
const passed = ['SHELL', 'SSH_AUTH_SOCK', 'LANYARD_HOME', 'EDITOR', 'VISUAL', 'ComSpec', 'PATHEXT'];

/** What a shell needs of the broker’s environment, and no more: no secret that the broker was given. */
export function terminalEnvironment(
  platform: NodeJS.Platform,
  env: Environment,
  { heading, kubeconfig }: TerminalSession,
): Record<string, string> {
  const more = passed.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...browserEnvironment(platform, env),
    ...Object.fromEntries(more),
    ...(platform === 'win32' && { KUBECONFIG: kubeconfig, [headingVariable]: heading }),
  };
}
