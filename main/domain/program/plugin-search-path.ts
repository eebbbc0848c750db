import { posix, win32 } from 'node:path';
import type { ExecPluginConfig } from '../../contract/config/config.ts';

/**
 * The PATH of a wrapped plugin, where its bare command is also looked up: the account's `searchPath`, or a fixed one.
 * Only absolute folders: others depend on the current folder.
 */
export function pluginSearchPath(
  { searchPath }: Pick<ExecPluginConfig, 'searchPath'>,
  platform: NodeJS.Platform = process.platform,
): string {
  const path = platform === 'win32' ? win32 : posix;
  return (searchPath ?? usualSearchPath(platform))
    .split(path.delimiter)
    .filter((folder) => folder !== '' && path.isAbsolute(folder))
    .join(path.delimiter);
}

/** Where installers put programs for all users; no user's own folder. */
function usualSearchPath(platform: NodeJS.Platform): string {
  switch (platform) {
    case 'win32':
      return 'C:\\Windows\\System32;C:\\Windows';
    case 'darwin':
      return '/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin';
    default:
      return '/usr/local/bin:/usr/bin:/bin';
  }
}
