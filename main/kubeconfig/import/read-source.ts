import { authorityFilesOf } from '../../domain/import/index.ts';
import type { NamedFile } from '../../domain/kubeconfig.ts';
import { readNamedFiles } from '../read/named-files.ts';
import { readKubeconfigs } from '../read/read-kubeconfigs.ts';
import type { ImportSource } from './prepare.ts';

/** Reads kubeconfigs and all that a plan needs of other files. `homeDirectory`: what `~` stands for in flags. */
export async function readSource(
  files: readonly string[],
  homeDirectory: string,
  signal?: AbortSignal,
): Promise<ImportSource> {
  const merged = await readKubeconfigs(files, signal === undefined ? {} : { signal });
  const contents = await readNamedFiles(authorityFilesOf(merged, homeDirectory), signal);
  const authorityFiles = new Map(
    [...contents].map(([path, read]): [string, NamedFile<string>] => [
      path,
      read.ok ? { path, ok: true, content: read.content.reveal() } : { path, ...read },
    ]),
  );
  return { merged, authorityFiles, homeDirectory };
}
