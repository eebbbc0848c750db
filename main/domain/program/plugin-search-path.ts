import { posix, win32 } from 'node:path';
import { splitWindowsList } from '../../base/split-windows-list.ts';
import type { ExecPluginConfig } from '../../contract/config/accounts/exec-plugin.ts';
import { isOnAShare, isWholeOnWindows, windowsRoot } from './windows-program.ts';

/**
 * The PATH of a wrapped plugin, where its bare command is also looked up: the account's `searchPath`, or a fixed one.
 * Only absolute folders: others depend on the current folder, or on Windows on the current drive.
 */
export function pluginSearchPath(
  { searchPath }: Pick<ExecPluginConfig, 'searchPath'>,
  platform: NodeJS.Platform = process.platform,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  return absoluteFolders(searchPath ?? usualSearchPath(platform, environment), platform).join(
    platform === 'win32' ? win32.delimiter : posix.delimiter,
  );
}

/** Whether a command is a name that is looked up in a search path. */
export function isBareName(command: string): boolean {
  return !/^\.{0,2}$|[\\/:\0]/.test(command);
}

/**
 * Where a command may be that the fixed search path doesn't have: the broker's own PATH, and the folders in which
 * installers put programs for one user. A service's PATH lacks those.
 */
export function personalSearchPath(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  const path = environment['PATH'] ?? '';
  const home = environment['HOME'];
  if (platform === 'win32' || home === undefined) {
    return path;
  }
  const own = ['bin', '.local/bin', 'go/bin', '.krew/bin', 'google-cloud-sdk/bin'];
  return [path, ...own.map((folder) => posix.join(home, folder)), '/snap/bin'].join(posix.delimiter);
}

/** The folders of the text of a PATH that depend on nothing. One that needs quotes, for its `;`, doesn't count, nor one on a share: to look there is to log in there. */
export function absoluteFolders(searchPath: string, platform: NodeJS.Platform): string[] {
  return platform === 'win32'
    ? splitWindowsList(searchPath).filter(
        (folder) => isWholeOnWindows(folder) && !isOnAShare(folder) && !folder.includes(';'),
      )
    : searchPath.split(posix.delimiter).filter((folder) => folder !== '' && posix.isAbsolute(folder));
}

/** Where installers put programs for all users; no user's own folder. */
function usualSearchPath(
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  switch (platform) {
    case 'win32': {
      const root = windowsRoot(environment);
      return `${win32.join(root, 'System32')};${root}`;
    }
    case 'darwin':
      return '/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin';
    default:
      return '/usr/local/bin:/usr/bin:/bin';
  }
}
