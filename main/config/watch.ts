import { type FSWatcher, watch } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Disposable } from '../base/disposables.ts';

/** Tells one state of a file from another, without reading it: where it really lies, inode, size, times. */
async function stampOf(file: string): Promise<string> {
  try {
    const [real, status] = await Promise.all([realpath(file), stat(file, { bigint: true })]);
    const { dev, ino, size, mtimeNs, ctimeNs, mode } = status;
    return [real, dev, ino, size, mtimeNs, ctimeNs, mode].join(' ');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

/** The stamps of several files, in one text. */
export async function stampsOf(files: readonly string[]): Promise<string> {
  return (await Promise.all(files.map(stampOf))).join('\n');
}

/**
 * Tells when something happens to one of the files, their replacement by a rename included: it watches their
 * folders, and where a file is a symbolic link its target's folder too. It can miss events; look at stamps also.
 */
export async function watchFiles(files: readonly string[], onEvent: () => void): Promise<Disposable> {
  const byFolder = new Map<string, Set<string>>();
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
        if (name === null || names.has(name)) {
          onEvent();
        }
      });
      // A folder that goes away ends its watcher; the stamps still tell.
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    } catch {
      // No such folder yet, or no watches left: the stamps still tell.
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
