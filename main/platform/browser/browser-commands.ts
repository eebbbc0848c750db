import { win32 } from 'node:path';

/** A program that opens a page; the address is added as its last argument. */
export interface BrowserCommand {
  command: string;
  args: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What opens a page, the first that exists. Never through a shell. $BROWSER isn't read: it may be a command line,
 * which only a shell could parse; xdg-open and gio know the user's choice.
 */
export function browserCommands(platform: NodeJS.Platform, env: Environment): readonly BrowserCommand[] {
  switch (platform) {
    case 'darwin':
      return [{ command: '/usr/bin/open', args: [] }];
    case 'win32': {
      const system = win32.join(env['SystemRoot'] ?? 'C:\\Windows', 'System32');
      return [{ command: win32.join(system, 'rundll32.exe'), args: ['url.dll,FileProtocolHandler'] }];
    }
    default:
      return [
        { command: 'xdg-open', args: [] },
        { command: 'gio', args: ['open'] },
      ];
  }
}

const passed: readonly string[] = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DBUS_SESSION_BUS_ADDRESS',
  'HOME',
  'USER',
  'LOGNAME',
  'PATH',
  'LANG',
  'TMPDIR',
];
const passedOnWindows: readonly string[] = [
  'SystemRoot',
  'SystemDrive',
  'USERPROFILE',
  'USERNAME',
  'APPDATA',
  'LOCALAPPDATA',
  'ProgramFiles',
  'ProgramFiles(x86)',
  'ProgramData',
  'TEMP',
  'TMP',
  'PATH',
];

/** What a browser needs of the broker's environment, and no more. */
export function browserEnvironment(platform: NodeJS.Platform, env: Environment): Record<string, string> {
  const isPassed =
    platform === 'win32'
      ? (name: string) => passedOnWindows.some((one) => one.toLowerCase() === name.toLowerCase())
      : (name: string) => passed.includes(name) || name.startsWith('XDG_') || name.startsWith('LC_');
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => isPassed(entry[0]) && entry[1] !== undefined,
    ),
  );
}

/** A graphical session for opening a page. macOS and Windows have one wherever a user is logged in. */
export function hasDisplay(platform: NodeJS.Platform, env: Environment): boolean {
  return (
    platform === 'darwin' ||
    platform === 'win32' ||
    [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((display) => display !== undefined && display !== '')
  );
}
