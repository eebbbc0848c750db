import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { helperName, type Target } from './target.ts';

const names: Readonly<Record<Target['platform'], string>> = { linux: 'linux', darwin: 'mac', win32: 'win' };

/** The file with the helper alone, beside a target's installers: for krew. */
export function helperArchiveName(version: string, { platform, architecture }: Target): string {
  return `lanyard-cli-${version}-${names[platform]}-${architecture}.tar.gz`;
}

/** Makes that file of what was put together for the target (stage.ts). Throws where tar fails. */
export function makeHelperArchive(
  resources: string,
  version: string,
  target: Target,
  output: string,
): string {
  mkdirSync(output, { recursive: true });
  const to = join(output, helperArchiveName(version, target));
  const { error, status } = spawnSync(
    'tar',
    ['-czf', to, '-C', resources, 'LICENSE.txt', '-C', join(resources, 'bin'), helperName(target.platform)],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  if (error !== undefined || status !== 0) {
    throw new Error(`tar: ${error?.message ?? `exit code ${status}`}`);
  }
  return to;
}
