import { posixQuoted } from '../../domain/text/shell-line.ts';
import type { TerminalProgram, TerminalSession } from '../../ports/terminal-windows.ts';
import { browserEnvironment, type Environment } from '../browser/browser-commands.ts';

export interface TerminalCommand {
  command: string;
  args: readonly string[];
}

/**
 * What runs in the terminal. The text is always the same: what is different comes as arguments, so that no name can be
 * a command. The user’s own shell is asked first what its startup files leave of KUBECONFIG: many set it, and then the
 * heading would be untrue. The kubeconfig goes with the shell, also where the terminal is closed: the shell gets the
 * same hangup.
 */
const script = `trap 'rm -f -- "$3"' EXIT
trap 'exit 1' HUP TERM
KUBECONFIG=$3
SHELL=\${SHELL:-/bin/sh}
export KUBECONFIG SHELL
seen=$("$SHELL" -i -c 'printf "\\n%s" "$KUBECONFIG"' </dev/null 2>/dev/null | tail -n 1)
if [ "$seen" = "$3" ]; then printf '%s\\n' "$1"; else printf '%s\\n' "$2"; fi
"$SHELL"`;

function words({ heading, otherwise, kubeconfig }: TerminalSession) {
  return ['/bin/sh', '-c', script, 'lanyard', heading, otherwise, kubeconfig] as const;
}

/**
 * What opens a terminal, the first that exists; none but the chosen one where one was chosen. `script`: for macOS, a
 * file with the text of `macScript`, which Terminal runs.
 */
export function terminalCommands(
  session: TerminalSession,
  { program, script: file }: { program?: TerminalProgram | undefined; script: string | null },
): readonly TerminalCommand[] {
  const [chosen, ...more] = program ?? [null];
  const run = file === null ? words(session) : [file];
  if (chosen !== null) {
    return [{ command: chosen, args: [...more, ...run] }];
  }
  if (file !== null) {
    return [{ command: '/usr/bin/open', args: ['-a', 'Terminal', file] }];
  }
  return [
    // The user’s choice first: of the desktop (xdg-terminal-exec), of Debian’s alternatives.
    { command: 'xdg-terminal-exec', args: run },
    { command: 'x-terminal-emulator', args: ['-e', ...run] },
    { command: 'gnome-terminal', args: ['--', ...run] },
    { command: 'konsole', args: ['-e', ...run] },
    { command: 'xfce4-terminal', args: ['-x', ...run] },
    { command: 'xterm', args: ['-e', ...run] },
  ];
}

/** The file that macOS’s Terminal runs: it can’t be told a command. It removes itself. */
export function macScript(session: TerminalSession): string {
  return `#!/bin/sh\nrm -f -- "$0"\nexec ${words(session).map(posixQuoted).join(' ')}\n`;
}

/** Beside what any program with a window needs. */
const passed = ['SHELL', 'SSH_AUTH_SOCK', 'LANYARD_HOME', 'EDITOR', 'VISUAL'];

/** What a shell needs of the broker’s environment, and no more: no secret that the broker was given. */
export function terminalEnvironment(platform: NodeJS.Platform, env: Environment): Record<string, string> {
  const more = passed.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...browserEnvironment(platform, env), ...Object.fromEntries(more) };
}
