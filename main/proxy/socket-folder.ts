import { randomBytes } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { socketPathExcess } from '../config/home.ts';

/** A new path for a Unix socket there. */
export function socketPathIn(folder: string): string {
  return join(folder, `${randomBytes(6).toString('base64url')}.sock`);
}

/** By how many bytes the paths of sockets there are too long; 0: they aren’t. */
export function socketFolderExcess(folder: string, platform: string): number {
  return socketPathExcess(socketPathIn(folder), platform);
}

/**
 * Whether only this user can come into the folder; null: it is missing. `uid`: the user’s id; null: the system has none.
 * (rule: client-listener)
 */
export async function isClosedFolder(folder: string, uid: number | null): Promise<boolean | null> {
  const found = await lstat(folder).catch(() => null);
  if (found === null) {
    return null;
  }
  return found.isDirectory() && (uid === null || (found.uid === uid && (found.mode & 0o077) === 0));
}
