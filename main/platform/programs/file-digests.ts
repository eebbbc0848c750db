import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** A program may have this many bytes to be digested. */
const limitBytes = 1024 * 1024 * 1024;
const pieceBytes = 256 * 1024;

/** So many files' digests are remembered. */
const keptFiles = 256;

/** SHA-256 of files; what is unchanged since it was last read isn't read again. */
export interface FileDigests {
  /** In hex; null where it can't be read, is no file, is larger than 1 GiB or is being changed. */
  of(path: string): Promise<string | null>;
}

export function createFileDigests(): FileDigests {
  const known = new Map<string, { stamps: string; sha256: string }>();
  return {
    async of(path) {
      let handle: FileHandle | null = null;
      try {
        // A named pipe in the file's place must not block.
        handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
        const before = await handle.stat({ bigint: true });
        const stamps = stampsOf(before);
        const last = known.get(path);
        if (last?.stamps === stamps) {
          return last.sha256;
        }
        known.delete(path);
        const sha256 = before.isFile() && before.size <= limitBytes ? await digest(handle) : null;
        if (sha256 === null || stampsOf(await handle.stat({ bigint: true })) !== stamps) {
          return null;
        }
        known.set(path, { stamps, sha256 });
        for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - keptFiles))) {
          known.delete(oldest);
        }
        return sha256;
      } catch {
        known.delete(path);
        return null;
      } finally {
        await handle?.close();
      }
    },
  };
}

/** Null beyond the limit, whatever size the file said it had. */
async function digest(handle: FileHandle): Promise<string | null> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(pieceBytes);
  for (let length = 0; length <= limitBytes; ) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, length);
    if (bytesRead === 0) {
      return hash.digest('hex');
    }
    hash.update(buffer.subarray(0, bytesRead));
    length += bytesRead;
  }
  return null;
}

/** A change of the bytes changes the ctime, which only root's clock can set. */
function stampsOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}
