import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BrokerError } from '../contract/broker-error.ts';
import { timeInName } from '../domain/text/time-in-name.ts';

/** What SQLite keeps beside a database. */
const companions = ['', '-wal', '-shm', '-journal'];
const asideName = /^history\.(damaged|newer)-[0-9TZ-]+(\.\d+)?\.db(-wal|-shm|-journal)?$/;

/**
 * Makes sure that the path is a plain file of the own user with mode 0600, and makes an empty one where there is
 * none. Throws BrokerError for a link or another user's file: its content isn't ours to write. SQLite follows links;
 * the home is 0700, so only the own user could put one there between this check and the opening.
 */
export function preparePlace(file: string): void {
  for (const companion of companions) {
    const path = `${file}${companion}`;
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) {
      continue;
    }
    if (!found.isFile()) {
      throw refused(
        'notAFile',
        `${path} is ${found.isSymbolicLink() ? 'a symbolic link' : 'not a plain file'}`,
      );
    }
    if (process.geteuid && found.uid !== process.geteuid()) {
      throw refused('owner', `${path} belongs to another user`);
    }
    if ((found.mode & 0o077) !== 0 && process.platform !== 'win32') {
      chmodSync(path, 0o600);
    }
  }
  // SQLite gives the files beside it the mode of this one.
  const flags = constants.O_CREAT | constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);
  closeSync(openSync(file, flags, 0o600));
}

function refused(what: string, message: string): BrokerError {
  return new BrokerError(
    `history.${what}`,
    `the history can’t be written (${message}), and without it nothing is issued`,
    { hint: 'check it, and move it away' },
  );
}

/** Device and inode; null: no such file. Shows whether the file was moved away meanwhile. */
export function identityOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}

/** Renames the file and what SQLite kept beside it; gives the new path. The database must be closed. */
export function setAside(file: string, why: 'damaged' | 'newer', now: number): string {
  const time = timeInName(now);
  for (let count = 0; ; count++) {
    const aside = join(dirname(file), `history.${why}-${time}${count === 0 ? '' : `.${count}`}.db`);
    if (companions.some((companion) => lstatSync(`${aside}${companion}`, { throwIfNoEntry: false }))) {
      continue;
    }
    for (const companion of companions) {
      try {
        renameSync(`${file}${companion}`, `${aside}${companion}`);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
          throw error;
        }
      }
    }
    return aside;
  }
}

/** What was set aside is kept as long as the history itself. */
export function removeAsideBefore(file: string, before: number): string[] {
  const folder = dirname(file);
  const old = readdirSync(folder)
    .filter((name) => asideName.test(name))
    .map((name) => join(folder, name))
    .filter((path) => (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? before) < before);
  for (const path of old) {
    unlinkSync(path);
  }
  return old.map((path) => basename(path));
}
