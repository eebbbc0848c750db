import { delimiter } from 'node:path';
import type { KubeconfigSource } from '../../domain/import/given-text.ts';
import { authorityFilesOf } from '../../domain/import/index.ts';
import type { NamedFile } from '../../domain/import/kubeconfig.ts';
import { absoluteFolders } from '../../domain/program/plugin-search-path.ts';
import type { IsWrittenByOthers } from '../../platform/programs/rules/windows-writers.ts';
import { readNamedFiles } from '../read/named-files.ts';
import { type ReadKubeconfigsOptions, readKubeconfigs } from '../read/read-kubeconfigs.ts';
import type { ImportSource } from './prepare.ts';
import { createProgramInspections } from './program-inspections.ts';

/** Who wants an import. */
export interface ImportCaller {
  /** The folder for `~` in flags. */
  homeDirectory: string;
  /** PATH, for finding plugins; null: unknown. */
  searchPath: string | null;
  /** See `ReadKubeconfigsOptions`. */
  apart?: boolean;
}

export interface ReadSourceOptions {
  signal?: AbortSignal | undefined;
  page?: ReadKubeconfigsOptions['page'];
  /** On Windows. */
  isWrittenByOthers?: IsWrittenByOthers | undefined;
}

/** Reads kubeconfigs and all that a plan needs of other files. */
export async function readSource(
  files: readonly KubeconfigSource[],
  { homeDirectory, searchPath, apart }: ImportCaller,
  { signal, page, isWrittenByOthers }: ReadSourceOptions = {},
): Promise<ImportSource> {
  const merged = await readKubeconfigs(files, {
    ...(signal && { signal }),
    ...(apart && { apart }),
    ...(page && { page }),
  });
  const contents = await readNamedFiles(authorityFilesOf(merged, homeDirectory), signal);
  const authorityFiles = new Map(
    [...contents].map(([path, read]): [string, NamedFile<string>] => [
      path,
      read.ok ? { path, ok: true, content: read.content.reveal() } : { path, ...read },
    ]),
  );
  return {
    merged,
    authorityFiles,
    homeDirectory,
    searchPath: searchPath === null ? null : ownFolders(searchPath),
    programs: createProgramInspections(isWrittenByOthers),
  };
}

/** Without duplicates. */
function ownFolders(searchPath: string): string {
  return [...new Set(absoluteFolders(searchPath, process.platform))].join(delimiter);
}
