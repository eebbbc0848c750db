import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { readBoundedBytes } from '../../config/read-bounded.ts';
import { readProviderConfig } from '../../domain/image/provider-config.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import { type KnownPlace, knownPlaces } from './known-places.ts';

/** A CredentialProviderConfig in a usual place. It is offered, never imported unasked. */
export interface FoundProviders {
  path: string;
  /** Null: none of the usual plugin folders is there. */
  binFolder: string | null;
  /** How many providers it has; null: it can’t be used, see `fault`. */
  providers: number | null;
  /** In the kubelet’s words. */
  fault: string | null;
}

const extensions = ['.json', '.yaml', '.yml'];
const kind = 'CredentialProviderConfig';
/** Of a folder; a place of a kubelet has a few. */
const mostFiles = 64;
/** As much as is parsed of a configuration. */
const limitBytes = 256 * 1024;

/** Looks through the usual places for what this user can read. `home`: empty where it isn’t known. */
export async function findProviders(
  home: string,
  places: readonly KnownPlace[] = knownPlaces(home),
): Promise<FoundProviders[]> {
  const found: FoundProviders[] = [];
  for (const place of places) {
    for (const path of await filesIn(place.folder)) {
      const content = await readBoundedBytes(path, limitBytes);
      if (content?.ok && content.bytes.includes(kind)) {
        const read = readProviderConfig([{ path, bytes: content.bytes }]);
        found.push({
          path,
          binFolder: await firstFolder(place.binFolders),
          ...(read.ok
            ? { providers: read.providers.length, fault: null }
            : { providers: null, fault: visibleText(read.message, 500) }),
        });
      }
    }
  }
  return found;
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && extensions.includes(extname(entry.name)))
      .map(({ name }) => join(folder, name))
      .sort()
      .slice(0, mostFiles);
  } catch {
    // Most places are other distributions', or root's.
    return [];
  }
}

async function firstFolder(folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    const isFolder = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isFolder) {
      return folder;
    }
  }
  return null;
}
