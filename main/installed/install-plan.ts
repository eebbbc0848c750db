import { posix, win32 } from 'node:path';
import { BrokerError } from '../contract/broker-error.ts';
import { fishWord, powershellQuoted, wordFor } from '../domain/text/shell-line.ts';

/** The shells with completion scripts. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The caller’s variables that decide on the folders. */
export const installVariables = [
  'HOME',
  'PATH',
  'SHELL',
  'XDG_DATA_HOME',
  'XDG_CONFIG_HOME',
  'LOCALAPPDATA',
] as const;
export type InstallEnvironment = Readonly<Record<string, string | undefined>>;

export interface InstallPlaces {
  /** The folder of the programs. */
  bin: string;
  isOnPath: boolean;
  /** Null on Windows. */
  manPage: string | null;
  /** Null where the system’s shells have no completions. */
  completion(shell: Shell): string | null;
}

/**
 * Folders for the user’s programs, the best first. On Linux and macOS the second is for users who can’t write to the
 * first. Every login shell of macOS has /usr/local/bin on the PATH, and every user of Windows has WindowsApps: no shell
 * has to be set up there. Throws BrokerError `install.home` (reason usage).
 */
export function binFolders(
  environment: InstallEnvironment,
  platform: string,
): readonly [string, ...string[]] {
  if (platform === 'win32') {
    const local = environment['LOCALAPPDATA'] ?? '';
    if (!win32.isAbsolute(local)) {
      throw noHome('LOCALAPPDATA');
    }
    return [win32.join(local, 'Microsoft', 'WindowsApps')];
  }
  const home = homeOf(environment);
  return platform === 'darwin'
    ? [systemWide, posix.join(home, '.local/bin')]
    : [posix.join(home, '.local/bin'), posix.join(home, 'bin')];
}

const systemWide = '/usr/local/bin';

/**
 * The folders for completions and pages, by the XDG Base Directory specification, which ignores relative paths. `bin`
 * is absolute. Throws BrokerError `install.home` (reason usage).
 */
export function installPlaces(environment: InstallEnvironment, platform: string, bin: string): InstallPlaces {
  const searchPath = environment['PATH'] ?? '';
  if (platform === 'win32') {
    const isOnPath = searchPath
      .split(';')
      .some((folder) => win32.relative(folder.toLowerCase(), bin.toLowerCase()) === '' && folder !== '');
    return { bin, isOnPath, manPage: null, completion: () => null };
  }
  const home = homeOf(environment);
  const data = absolute(environment['XDG_DATA_HOME']) ?? posix.join(home, '.local/share');
  const config = absolute(environment['XDG_CONFIG_HOME']) ?? posix.join(home, '.config');
  const completions: Readonly<Record<Shell, string>> = {
    bash: posix.join(data, 'bash-completion/completions/lanyard'),
    zsh: posix.join(data, 'zsh/site-functions/_lanyard'),
    fish: posix.join(config, 'fish/completions/lanyard.fish'),
  };
  const named = searchPath.split(':').some((folder) => isSame(folder, bin));
  return {
    bin: posix.normalize(bin),
    // An app that macOS starts doesn’t have /etc/paths, which each login shell reads.
    isOnPath: named || (platform === 'darwin' && isSame(systemWide, bin)),
    manPage: posix.join(data, 'man/man1/lanyard.1'),
    completion: (shell) => completions[shell],
  };
}

function homeOf(environment: InstallEnvironment): string {
  const home = absolute(environment['HOME']);
  if (home === null) {
    throw noHome('HOME');
  }
  return home;
}

function noHome(variable: string): BrokerError {
  return new BrokerError('install.home', `${variable} doesn’t hold an absolute path`, {
    reason: 'usage',
    hint: `set ${variable} to your own folder`,
  });
}

/** The caller’s shell by SHELL; null for any other. */
export function ownShell(environment: InstallEnvironment): Shell | null {
  const name = posix.basename(environment['SHELL'] ?? '');
  return shells.find((shell) => shell === name) ?? null;
}

/** The line for a shell’s start file that adds `bin` to the PATH. */
export function pathLine(bin: string, shell: Shell | null): string {
  return shell === 'fish' ? `fish_add_path ${fishWord(bin)}` : `export PATH=${wordFor(bin, 'linux')}:"$PATH"`;
}

/**
 * The line of PowerShell that adds `bin` to the user’s own Path for good, for terminals that are opened afterwards. Not
 * setx: it cuts at 1024 characters, and `%PATH%` would add the system’s folders to the user’s.
 */
export function windowsPathLine(bin: string): string {
  const folder = powershellQuoted(`;${bin}`);
  return `[Environment]::SetEnvironmentVariable('Path', [Environment]::GetEnvironmentVariable('Path', 'User') + ${folder}, 'User')`;
}

function isSame(folder: string, other: string): boolean {
  const plain = (path: string) => posix.normalize(`${path}/`);
  return posix.isAbsolute(folder) && plain(folder) === plain(other);
}

function absolute(path: string | undefined): string | null {
  return path !== undefined && posix.isAbsolute(path) ? path : null;
}
