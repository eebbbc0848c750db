import { type FSWatcher, watch } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Disposable } from '../base/disposables.ts';

/** Identifies a file’s state without reading it: resolved path, inode, size, times. */
async function stampOf(file: string): Promise<string> {
  try {
    const [real, status] = await Promise.all([realpath(file), stat(file, { bigint: true })]);
    const { dev, ino, size, mtimeNs, ctimeNs, mode } = status;
    return [real, dev, ino, size, mtimeNs, ctimeNs, mode].join(' ');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

/** The stamps of several files, as one string to compare. */
export async function stampsOf(files: readonly string[]): Promise<string> {
  return (await Promise.all(files.map(stampOf))).join('\n');
}

/**
 * Calls `onEvent` when one of the files changes, or is replaced by a rename. It watches their folders, and the target’s
 * folder of a symbolic link. Of `folders` each change counts. Events can be missed: compare stamps as well.
 */
export async function watchFiles(
  files: readonly string[],
  onEvent: () => void,
  folders: readonly string[] = [],
): Promise<Disposable> {
  const byFolder = new Map<string, Set<string>>(folders.map((folder) => [folder, new Set()]));
  const addFile = (file: string) => {
    const folder = dirname(file);
    byFolder.set(folder, (byFolder.get(folder) ?? new Set()).add(basename(file)));
  };
  for (const file of files) {
    addFile(file);
    const real = await realpath(file).catch(() => null);
    if (real !== null) {
      addFile(real);
    }
  }
  const watchers: FSWatcher[] = [];
  for (const [folder, names] of byFolder) {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === null || names.has(name) || folders.includes(folder)) {
          onEvent();
        }
      });
      // A removed folder ends its watcher; the stamps still show changes.
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    } catch {
      // The folder is missing, or the system has no watches left; the stamps still show changes.
    }
  }
  return {
    dispose() {
      for (const watcher of watchers) {
        watcher.close();
      }
    },
  };
}
