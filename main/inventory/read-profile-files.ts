import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { readBounded } from '../config/read-bounded.ts';
import { type ReadProfile, readProfile } from '../domain/inventory/read-profile.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import { type FileDocument, fileDocuments } from './file-documents.ts';

/** What files may take (rule: bounded-input). */
export const fileLimits = {
  files: 1_000,
  fileBytes: 8 * 1024 * 1024,
  bytes: 64 * 1024 * 1024,
  /** Documents and items of lists, also those of other kinds: all files are read again when one changes. */
  fileObjects: 30_000,
  objects: 100_000,
} as const;

export interface FilesRead {
  /** In the order of the files, and of each file’s text. */
  read: ReadProfile[];
  /** Why something could not be read, a sentence each: what it had is unknown. */
  troubles: string[];
  /** What was looked at. */
  files: string[];
  folders: string[];
}

/**
 * Reads the ClusterProfiles of files and folders: of a folder what ends with .yaml, .yml or .json, by name, without its
 * folders. Symbolic links are followed, to files alone. Other kinds of objects are passed over. Of two profiles with
 * one name the first counts. Never throws.
 */
export async function readProfileFiles(paths: readonly string[], inventory: string): Promise<FilesRead> {
  const found: FilesRead = { read: [], troubles: [], files: [], folders: [] };
  for (const path of paths) {
    await findFiles(path, found);
  }
  const files = [...new Set(found.files)];
  if (files.length > fileLimits.files) {
    found.troubles.push(
      `there are ${files.length} files, of which the first ${fileLimits.files} are read: put several profiles in one file`,
    );
  }
  found.files = files.slice(0, fileLimits.files);
  const profiles = new FirstOfName(inventory, found);
  let [bytes, objects] = [0, 0];
  for (const file of found.files) {
    const content = await readBounded(file, fileLimits.fileBytes);
    if (!content?.ok) {
      found.troubles.push(visibleText(content === null ? `${file} is missing` : content.fault));
      continue;
    }
    bytes += Buffer.byteLength(content.text);
    if (bytes > fileLimits.bytes || objects > fileLimits.objects) {
      found.troubles.push(
        `the files have more than ${fileLimits.bytes / 1024 / 1024} MiB, or ${fileLimits.objects} objects: the rest isn’t read`,
      );
      break;
    }
    const last = objects + fileLimits.fileObjects;
    for (const object of objectsOf(content.text)) {
      objects += 1;
      if (objects > last) {
        found.troubles.push(
          visibleText(`${file} has more than ${fileLimits.fileObjects} objects: the rest is left out`),
        );
        break;
      }
      if (object.ok) {
        profiles.take(object.value, file);
      } else {
        found.troubles.push(visibleText(`${file}:${object.line}: ${object.message}`));
      }
      // Other callers wait meanwhile.
      await turn();
    }
  }
  return found;
}

/** The documents of a text, and in place of a list its items. */
function* objectsOf(text: string): Generator<FileDocument> {
  for (const document of fileDocuments(text)) {
    const { kind, items, apiVersion } = membersOf(document.ok ? document.value : null);
    if ((kind === 'List' || kind === 'ClusterProfileList') && Array.isArray(items)) {
      for (const item of items) {
        // Of a typed list, its items may leave out what the list says.
        const value = kind === 'List' ? item : { apiVersion, kind: 'ClusterProfile', ...membersOf(item) };
        yield { ok: true, value };
      }
    } else {
      yield document;
    }
  }
}

async function findFiles(path: string, { files, folders, troubles }: FilesRead): Promise<void> {
  try {
    if (!(await stat(path)).isDirectory()) {
      files.push(path);
      return;
    }
    folders.push(path);
    const entries = await readdir(path, { withFileTypes: true });
    const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    // Not `..data` and its like, of a volume that Kubernetes mounts, and no editor's swap files.
    const wanted = names.filter((name) => /^[^.].*\.(ya?ml|json)$/i.test(name));
    files.push(...wanted.sort().map((name) => join(path, name)));
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    // Watched, too: it may come.
    files.push(path);
    if (code !== 'ENOENT') {
      troubles.push(visibleText(`${path} can’t be read (${code})`));
    }
  }
}

/** Takes profiles, each name once. */
class FirstOfName {
  readonly #inventory: string;
  readonly #found: FilesRead;
  readonly #files = new Map<string, string>();

  constructor(inventory: string, found: FilesRead) {
    this.#inventory = inventory;
    this.#found = found;
  }

  take(value: unknown, file: string): void {
    if (membersOf(value)['kind'] === 'ClusterProfile') {
      this.#takeProfile(readProfile(value, this.#inventory, 'default'), file);
    }
  }

  #takeProfile(read: ReadProfile, file: string): void {
    const { read: all } = this.#found;
    if (!read.ok) {
      all.push({ ...read, fault: visibleText(`${read.fault} (${file})`) });
      return;
    }
    const { namespace, name } = read.profile;
    const key = `${namespace}/${name}`;
    const first = this.#files.get(key);
    if (first === undefined) {
      this.#files.set(key, file);
      all.push(read);
    } else {
      const where = first === file ? 'twice in that file' : `in ${file}, too`;
      all.push({
        ok: false,
        fault: visibleText(`is in ${first}, which counts, and ${where}`),
        namespace,
        name,
      });
    }
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
