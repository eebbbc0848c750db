import { posix } from 'node:path';
import { BrokerError } from '../contract/broker-error.ts';
import { fishWord, shellWord } from '../domain/shell-line.ts';

/** Shells that have completion of Lanyard's, and where a person's own completions of each lie. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The caller's variables that decide where things go. */
export const installVariables = ['HOME', 'PATH', 'SHELL', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME'] as const;
export type InstallEnvironment = Readonly<Record<string, string | undefined>>;

/** Names under which the helper is called: its own, and kubectl's for a plugin and for its completion. */
export const linkNames = ['lanyard', 'kubectl-lanyard', 'kubectl_complete-lanyard'] as const;

export interface InstallPlaces {
  /** Where the links go. */
  bin: string;
  isOnPath: boolean;
  manPage: string;
  completion(shell: Shell): string;
}

/**
 * Where a caller with these variables has its programs, completions and pages: by the XDG Base Directory specification,
 * which ignores paths that aren't absolute. `into` is absolute. Throws BrokerError `install.home` (reason usage).
 */
export function installPlaces(environment: InstallEnvironment, into: string | undefined): InstallPlaces {
  const home = absolute(environment['HOME']);
  if (home === null) {
    throw new BrokerError('install.home', 'HOME doesn’t hold an absolute path', {
      reason: 'usage',
      hint: 'set HOME to your home folder',
    });
  }
  const data = absolute(environment['XDG_DATA_HOME']) ?? posix.join(home, '.local/share');
  const config = absolute(environment['XDG_CONFIG_HOME']) ?? posix.join(home, '.config');
  const bin = posix.normalize(into ?? posix.join(home, '.local/bin'));
  const completions: Readonly<Record<Shell, string>> = {
    bash: posix.join(data, 'bash-completion/completions/lanyard'),
    zsh: posix.join(data, 'zsh/site-functions/_lanyard'),
    fish: posix.join(config, 'fish/completions/lanyard.fish'),
  };
  return {
    bin,
    isOnPath: (environment['PATH'] ?? '').split(':').some((folder) => isSame(folder, bin)),
    manPage: posix.join(data, 'man/man1/lanyard.1'),
    completion: (shell) => completions[shell],
  };
}

/** The caller's shell by SHELL, where it is one of these. */
export function ownShell(environment: InstallEnvironment): Shell | null {
  const name = posix.basename(environment['SHELL'] ?? '');
  return shells.find((shell) => shell === name) ?? null;
}

/** What to add to a shell's start file, so that it finds programs in `bin`. */
export function pathLine(bin: string, shell: Shell | null): string {
  return shell === 'fish' ? `fish_add_path ${fishWord(bin)}` : `export PATH=${shellWord(bin)}:"$PATH"`;
}

function isSame(folder: string, other: string): boolean {
  const plain = (path: string) => posix.normalize(`${path}/`);
  return posix.isAbsolute(folder) && plain(folder) === plain(other);
}

function absolute(path: string | undefined): string | null {
  return path !== undefined && posix.isAbsolute(path) ? path : null;
}
