export const unitName = 'lanyard.service';

export interface ServiceCommand {
  /** The broker's command: an absolute path with its arguments. */
  command: readonly string[];
  /** LANYARD_HOME, where it is set. */
  home: string | null;
}

/**
 * The user unit that starts the broker at login. No further sandboxing: in a user manager each such setting disables
 * set-user-id programs (systemd.exec(5), NoNewPrivileges). The browser that a login opens may need them, as browsers
 * from snap packages do.
 */
export function systemdUnit({ command, home }: ServiceCommand): string {
  const [program = '', ...args] = command;
  const line = [quote(program), ...args.map((arg) => quote(arg.replaceAll('$', '$$$$')))].join(' ');
  return [
    '# Written by Lanyard (lanyard agent --install); removed by lanyard agent --uninstall.',
    '# Put your changes into a drop-in: systemctl --user edit lanyard',
    '[Unit]',
    'Description=Lanyard: credentials for Kubernetes tools',
    'StartLimitIntervalSec=300',
    'StartLimitBurst=5',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${line}`,
    ...(home === null ? [] : [`Environment=${quote(`LANYARD_HOME=${home}`)}`]),
    'Restart=on-failure',
    'RestartSec=5',
    '# 2: another agent runs for this home, or the command is wrong; trying again helps neither.',
    'RestartPreventExitStatus=2',
    '# Renewals under way have ten seconds to end.',
    'TimeoutStopSec=20',
    '# The browser that a login opened stays when the agent ends.',
    'KillMode=process',
    'UMask=0077',
    'LimitCORE=0',
    'StandardInput=null',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

/**
 * One word of a unit’s value (systemd.syntax(7), systemd.service(5) "Command lines"): always quoted, with C escapes,
 * and `%` doubled, since specifiers are expanded inside quotes, too. The caller escapes `$`: systemd expands variables
 * in arguments, but not in the program’s path or in Environment=.
 */
function quote(word: string): string {
  const escaped = word
    .replaceAll('%', '%%')
    .replace(/[\\"]/g, '\\$&')
    .replace(/\p{Cc}/gu, (character) => Buffer.from(character).toString('hex').replace(/../g, '\\x$&'));
  return `"${escaped}"`;
}
