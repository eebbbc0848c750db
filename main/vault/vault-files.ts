import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { BrokerError } from '../contract/broker-error.ts';
import paths from '../contract/paths.json' with { type: 'json' };
import type { FileOperations } from './file-operations.ts';
import { type Broken, broken, fileLimitBytes } from './format.ts';
import { systemCode, writeError } from './write-error.ts';

export type FileFound = { kind: 'missing' } | { kind: 'bytes'; bytes: Buffer; id: string } | Broken;

/** `isApplied`: the vault’s file has the new content all the same; only its durability isn’t certain. */
export type Written = { ok: true } | { ok: false; error: BrokerError; isApplied: boolean };

/** The errors of file systems without hard links (exFAT, some network and FUSE mounts). */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EINVAL']);
const temporaryName = /^vault\.tmp-[0-9a-f]{32}$/;

/**
 * The vault’s two files. Each change is written beside them, synced, and renamed into place: whenever the process or
 * the machine stops, `vault` is complete, old or new. Call it only with the home’s lock (rule: nothing-lost).
 */
export class VaultFiles {
  readonly home: string;
  readonly current: string;
  readonly previous: string;
  readonly #files: FileOperations;

  constructor(home: string, files: FileOperations) {
    this.home = home;
    this.current = join(home, paths.files.vault);
    this.previous = join(home, paths.files.previousVault);
    this.#files = files;
  }

  /** Reads one vault file. Anything but a plain file of this user is broken, not missing. */
  async read(path: string): Promise<FileFound> {
    try {
      const file = await this.#files.openForReading(path);
      try {
        if (!file.isFile) {
          return broken('notAFile', `${path} is not a plain file`);
        }
        if (file.uid !== this.#files.ownUid()) {
          return broken('owner', `${path} belongs to another user`);
        }
        if (file.size > fileLimitBytes) {
          return broken('tooLarge', `${path} is larger than a vault can be`);
        }
        return { kind: 'bytes', bytes: await file.read(), id: file.id };
      } finally {
        await file.close();
      }
    } catch (error) {
      const code = systemCode(error);
      if (code === 'ENOENT') {
        return { kind: 'missing' };
      }
      return code === 'ELOOP'
        ? broken('symlink', `${path} is a symbolic link`)
        : broken('unreadable', `${path} can’t be read (${code ?? 'unknown error'})`);
    }
  }

  /**
   * True where the previous generation was copied or moved into the vault’s place by hand. A process that stopped
   * halfway through a write also leaves two equal files, but as one file with two names.
   */
  async restoredByHand(generation: number): Promise<boolean> {
    const [current, previous] = [await this.read(this.current), await this.read(this.previous)];
    if (previous.kind === 'missing') {
      return generation > 1;
    }
    return (
      current.kind === 'bytes' &&
      previous.kind === 'bytes' &&
      current.id !== previous.id &&
      current.bytes.equals(previous.bytes)
    );
  }

  /** Creates a file, by default the vault’s. Never replaces an existing file. */
  create(file: Buffer, path = this.current): Promise<Written> {
    const folder = dirname(path);
    return this.#attempt(async (reached) => {
      const temporary = await this.#writeTemporary(file, path);
      try {
        await this.#files.link(temporary, path);
      } catch (error) {
        if (!noLinks.has(systemCode(error) ?? '') || (await this.read(path)).kind !== 'missing') {
          await this.#remove(temporary);
          throw error;
        }
        await this.#renameTemporary(temporary, path);
      }
      reached();
      await this.#remove(temporary);
      await this.#files.syncFolder(folder);
    }, folder);
  }

  /**
   * Gives both files also the names `vault.<suffix>` and `vault.previous.<suffix>`, which are never deleted. What can’t
   * have a second name (a folder, another user’s file) is moved. Returns the names that were made.
   */
  async setAside(suffix: string): Promise<{ ok: true; names: string[] } | (Written & { ok: false })> {
    const names: string[] = [];
    const written = await this.#attempt(async () => {
      const free = await this.#freeSuffix(suffix);
      for (const path of [this.current, this.previous]) {
        const aside = `${path}.${free}`;
        if (await this.#keepAs(path, aside)) {
          names.push(basename(aside));
        }
      }
      await this.#files.syncFolder(this.home);
    });
    return written.ok ? { ok: true, names } : written;
  }

  /** A clock that was set back must not make one copy replace another. */
  async #freeSuffix(suffix: string): Promise<string> {
    const taken = await this.#files.names(this.home);
    const isTaken = (each: string) =>
      [this.current, this.previous].some((path) => taken.includes(`${basename(path)}.${each}`));
    let free = suffix;
    for (let count = 2; isTaken(free); count += 1) {
      free = `${suffix}-${count}`;
    }
    return free;
  }

  async #keepAs(path: string, aside: string): Promise<boolean> {
    const found = await this.read(path);
    if (found.kind === 'missing') {
      return false;
    }
    if (found.kind === 'bytes') {
      await this.#copyName(path, aside);
    } else {
      await this.#files.rename(path, aside);
    }
    return true;
  }

  /** Writes the next generation; the current one becomes the previous one. */
  replace(file: Buffer): Promise<Written> {
    return this.#attempt(async (reached) => {
      const temporary = await this.#writeTemporary(file);
      let kept: boolean;
      try {
        kept = await this.#copyName(this.current, this.previous);
      } catch (error) {
        await this.#remove(temporary);
        throw error;
      }
      await this.#renameTemporary(temporary, this.current);
      try {
        await this.#files.syncFolder(this.home);
      } catch (error) {
        const back = kept && (await this.#copyName(this.previous, this.current).catch(() => false));
        if (!back) {
          reached();
        }
        throw error;
      }
    });
  }

  /**
   * Writes the next generation to both files: the old one is in neither afterwards. The previous file comes first:
   * after a stop in between, the old generation is still current and complete, and the caller has no result yet.
   */
  replaceBoth(current: Buffer, previous: Buffer): Promise<Written> {
    return this.#attempt(async (reached) => {
      const first = await this.#writeTemporary(previous);
      let second: string;
      try {
        // Both are written before either takes effect, so that a full disk shows now.
        second = await this.#writeTemporary(current);
      } catch (error) {
        await this.#remove(first);
        throw error;
      }
      try {
        await this.#renameTemporary(first, this.previous);
      } catch (error) {
        await this.#remove(second);
        throw error;
      }
      await this.#renameTemporary(second, this.current);
      reached();
      await this.#files.syncFolder(this.home);
    });
  }

  /** Replaces a damaged file, which stays beside it under the name `aside`. */
  repair(file: Buffer, aside: string): Promise<Written> {
    return this.#attempt(async (reached) => {
      const temporary = await this.#writeTemporary(file);
      try {
        await this.#files.rename(this.current, join(this.home, aside));
      } catch (error) {
        if (systemCode(error) !== 'ENOENT') {
          await this.#remove(temporary);
          throw error;
        }
      }
      await this.#renameTemporary(temporary, this.current);
      reached();
      await this.#files.syncFolder(this.home);
    });
  }

  /** Removes the temporary files of a process that was killed while writing. */
  async removeStale(): Promise<void> {
    const names = await this.#files.names(this.home).catch(() => []);
    for (const name of names.filter((each) => temporaryName.test(each))) {
      await this.#remove(join(this.home, name));
    }
  }

  async #attempt(
    steps: (reached: () => void) => Promise<void>,
    folder: string = this.home,
  ): Promise<Written> {
    let isApplied = false;
    try {
      await steps(() => {
        isApplied = true;
      });
      return { ok: true };
    } catch (error) {
      return { ok: false, error: writeError(error, folder), isApplied };
    }
  }

  #temporary(beside = this.current): string {
    return `${beside}.tmp-${randomBytes(16).toString('hex')}`;
  }

  async #writeTemporary(bytes: Buffer, beside?: string): Promise<string> {
    const path = this.#temporary(beside);
    const file = await this.#files.createNew(path);
    try {
      try {
        await file.write(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      await this.#remove(path);
      throw error;
    }
    return path;
  }

  async #renameTemporary(temporary: string, to: string): Promise<void> {
    try {
      await this.#files.rename(temporary, to);
    } catch (error) {
      await this.#remove(temporary);
      throw error;
    }
  }

  /** Also gives the file at `from` the name `to`, in one step. False where there is no file at `from`. */
  async #copyName(from: string, to: string): Promise<boolean> {
    let temporary = this.#temporary();
    try {
      await this.#files.link(from, temporary);
    } catch (error) {
      const code = systemCode(error) ?? '';
      if (code === 'ENOENT') {
        return false;
      }
      const found = noLinks.has(code) ? await this.read(from) : null;
      if (found?.kind !== 'bytes') {
        throw error;
      }
      temporary = await this.#writeTemporary(found.bytes);
    }
    await this.#renameTemporary(temporary, to);
    // rename() does nothing where both names are already one file, as after a process that stopped halfway.
    await this.#remove(temporary);
    return true;
  }

  async #remove(path: string): Promise<void> {
    await this.#files.unlink(path).catch(() => undefined);
  }
}
