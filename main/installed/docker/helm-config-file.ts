import { posix, win32 } from 'node:path';

/** The variables that name helm’s files, beside HOME. */
export const helmVariables = [
  'HELM_REGISTRY_CONFIG',
  'HELM_CONFIG_HOME',
  'XDG_CONFIG_HOME',
  'APPDATA',
] as const;

/**
 * helm’s registry config, in the form of docker’s config.json, as helm finds it (pkg/cli, pkg/helmpath); null: without a
 * home it isn’t known.
 */
export function helmConfigFile(
  environment: Readonly<Record<string, string | undefined>>,
  cwd: string,
  platform: NodeJS.Platform = process.platform,
): string | null {
  const { isAbsolute, join, resolve } = platform === 'win32' ? win32 : posix;
  const { HELM_REGISTRY_CONFIG: file, HELM_CONFIG_HOME: own, XDG_CONFIG_HOME: xdg, HOME: home } = environment;
  if (file) {
    return resolve(cwd, file);
  }
  const usual =
    platform === 'win32'
      ? environment['APPDATA']
      : home && join(home, platform === 'darwin' ? 'Library/Preferences' : '.config');
  const base = xdg || usual;
  const folder = own || (base && join(base, 'helm'));
  return folder && (own || isAbsolute(folder)) ? join(resolve(cwd, folder), 'registry', 'config.json') : null;
}
