import { posix } from 'node:path';
import { BrokerError } from '../../main/contract/broker-error.ts';

/** Where a Linux desktop finds what it starts at login (Desktop Application Autostart). Null: HOME isn't known. */
export function autostartPath(env: Readonly<Record<string, string | undefined>>): string | null {
  const absolute = (path: string | undefined) => (path !== undefined && posix.isAbsolute(path) ? path : null);
  const home = absolute(env['HOME']);
  const config = absolute(env['XDG_CONFIG_HOME']) ?? (home && posix.join(home, '.config'));
  return config && posix.join(config, 'autostart', 'lanyard.desktop');
}

/**
 * The entry that starts `command` at login. `home`: LANYARD_HOME if it is set, because the desktop doesn't know it.
 * Throws BrokerError `loginItem.path` (reason usage) for words that a desktop entry can't contain.
 */
export function autostartEntry(command: readonly string[], home: string | null): string {
  const words = home === null ? command : ['/usr/bin/env', `LANYARD_HOME=${home}`, ...command];
  return `[Desktop Entry]
Type=Application
Name=Lanyard
Comment=Stores the credentials of your Kubernetes tools
Exec=${words.map(execWord).join(' ')}
Terminal=false
StartupNotify=false
X-GNOME-Autostart-enabled=true
`;
}

/** Whether an entry is enabled: desktops disable one by a key in it. */
export function isActive(text: string): boolean {
  return !/^(Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/m.test(text);
}

/**
 * A word of Exec: quoted by the rules of Exec, then escaped as every value of the file (Desktop Entry, "The Exec
 * key").
 */
function execWord(word: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a line of the file can't hold
  if (/[\u0000-\u001f\u007f]/.test(word)) {
    throw new BrokerError('loginItem.path', 'the app’s path has a control character in it', {
      reason: 'usage',
      hint: 'move the app to a folder with a plain name',
    });
  }
  const quoted = `"${word.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
  return quoted.replaceAll('\\', '\\\\');
}
