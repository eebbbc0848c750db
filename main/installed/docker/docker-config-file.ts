import { isAbsolute, join, resolve } from 'node:path';

/** docker’s config.json, as docker/cli’s cli/config finds it; null: without a home it isn’t known. */
export function dockerConfigFile(
  environment: Readonly<Record<string, string | undefined>>,
  cwd: string,
): string | null {
  const home = environment['HOME'] || environment['USERPROFILE'] || '';
  const folder = environment['DOCKER_CONFIG'] || (isAbsolute(home) ? join(home, '.docker') : null);
  return folder === null ? null : join(resolve(cwd, folder), 'config.json');
}
