import { constants } from 'node:fs';
import { link, open, readdir, rename, unlink } from 'node:fs/promises';
import { untilFree } from '../base/until-free.ts';

/** A new file that is being written. */
export interface NewFile {
  write(bytes: Buffer): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A file opened for reading. A symbolic link as the last part of the path is not followed. */
export interface ReadFile {
  isFile: boolean;
  /** The owner; -1 where the system has no such number. */
  uid: number;
  size: number;
  /** Device and inode: two names with the same are one file. */
  id: string;
  read(): Promise<Buffer>;
  close(): Promise<void>;
}

/** The vault’s part of a file system; tests make it fail. Errors are Node’s, with their `code`. */
export interface FileOperations {
  /** The broker's own user; -1 where the system has no such number. */
  ownUid(): number;
  openForReading(path: string): Promise<ReadFile>;
  /** Creates the file with mode 0600. Fails with EEXIST where the name is taken. */
  createNew(path: string): Promise<NewFile>;
  link(existing: string, added: string): Promise<void>;
  /** Replaces a file of that name. */
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Makes added, changed and removed names durable. */
  syncFolder(path: string): Promise<void>;
  names(folder: string): Promise<string[]>;
}

export function createFileOperations(): FileOperations {
  return {
    ownUid: () => process.geteuid?.() ?? -1,
    openForReading,
    createNew: async (path) => {
      const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);
      const handle = await open(path, flags, 0o600);
      return {
        write: (bytes) => handle.writeFile(bytes),
        sync: () => handle.sync(),
        close: () => handle.close(),
      };
    },
    link: (existing, added) => link(existing, added),
    rename: (from, to) => untilFree(() => rename(from, to)),
    unlink: (path) => untilFree(() => unlink(path)),
    syncFolder,
    names: (folder) => readdir(folder),
  };
}

/** A broker that starts is waited for. */
const readingMilliseconds = 2_000;

async function openForReading(path: string): Promise<ReadFile> {
  // O_NONBLOCK: a named pipe in the file’s place must not block the start.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await untilFree(() => open(path, flags), { limitMilliseconds: readingMilliseconds });
  try {
    const found = await handle.stat({ bigint: true });
    return {
      isFile: found.isFile(),
      uid: process.platform === 'win32' ? -1 : Number(found.uid),
      size: Number(found.size),
      id: `${found.dev}:${found.ino}`,
      read: () => handle.readFile(),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') {
    return; // Windows doesn't open folders; NTFS journals its names.
  }
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
