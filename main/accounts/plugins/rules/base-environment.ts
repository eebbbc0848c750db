import { win32 } from 'node:path';
import { windowsPrograms, windowsRoot } from '../../../domain/program/windows-program.ts';

/**
 * What each plugin gets of the broker's own environment, besides PATH: the locations of the user's files, and
 * proxies.
 */
const names = ['HOME', 'USER', 'LOGNAME', 'LANG', 'TZ', 'TMPDIR', 'SSH_AUTH_SOCK'];
/** What each program of Windows may expect, in capitals: there names that differ in case are one. */
const windowsNames = [
  'SYSTEMROOT',
  'WINDIR',
  'SYSTEMDRIVE',
  'COMPUTERNAME',
  'USERNAME',
  'USERDOMAIN',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'ALLUSERSPROFILE',
  'PUBLIC',
  'TEMP',
  'TMP',
  'OS',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
];
/** Where programs and their data are, for each kind of processor. */
const windowsPrefixes = ['PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMW', 'COMMONPROGRAM'];
const prefixes = ['XDG_', 'LC_'];
const proxies = ['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'];

/**
 * Variables about the user's session: a plugin at a terminal gets them from there, and its answer doesn't depend on
 * them.
 */
export const terminalVariables = [
  'TERM',
  'COLORTERM',
  'LANG',
  'LC_*',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
] as const;

/**
 * The fixed base of a run whose answer is shared: the same for all who get the answer. At a lent terminal without
 * what comes from there (rule: cleared-environment).
 */
export function baseEnvironment(
  broker: Readonly<Record<string, string | undefined>>,
  searchPath: string,
  terminal: boolean,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const onWindows = platform === 'win32';
  const isBase = (name: string) =>
    names.includes(name) ||
    (onWindows && isOfWindows(name.toUpperCase())) ||
    prefixes.some((prefix) => name.startsWith(prefix)) ||
    proxies.includes(name) ||
    proxies.includes(name.toLowerCase());
  const isTheirs = (name: string) => name === 'LANG' || name.startsWith('LC_');
  const base = Object.entries(broker).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && isBase(entry[0]) && !(terminal && isTheirs(entry[0])),
  );
  return {
    ...Object.fromEntries(base),
    ...(onWindows && windowsShell(broker)),
    PATH: searchPath,
    ...(!terminal && { TERM: 'dumb' }),
  };
}

/**
 * What a plugin that runs with its caller’s variables has of the broker all the same: on Windows, where the system’s own
 * libraries and its shell are. A kubeconfig’s `env` could lead elsewhere.
 */
export function systemEnvironment(
  broker: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  if (platform !== 'win32') {
    return {};
  }
  const root = windowsRoot(broker);
  return {
    ...{ SystemRoot: root, windir: root, ...windowsShell(broker) },
    // cmd.exe would look for a bare command in the current folder first.
    NoDefaultCurrentDirectoryInExePath: '1',
  };
}

function isOfWindows(name: string): boolean {
  return windowsNames.includes(name) || windowsPrefixes.some((prefix) => name.startsWith(prefix));
}

/** What batch files run others with, and find by name: those of the system, whatever the broker was started with. */
function windowsShell(broker: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return {
    ComSpec: win32.join(windowsRoot(broker), 'System32', 'cmd.exe'),
    PATHEXT: windowsPrograms.join(';').toUpperCase(),
  };
}
