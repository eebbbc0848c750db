import { userInfo } from 'node:os';
import { readBounded } from '../../config/read-bounded.ts';
import type { People } from './rules/other-writers.ts';

export interface PeopleFiles {
  /** passwd(5) and group(5). */
  passwd: string;
  group: string;
}

/** macOS: its administrators, who can become root. Homebrew's folders are theirs. */
const macAdministrators = 80;

/**
 * The users and groups of this machine, as its files have them; null on Windows, which has no such ids. Those that a
 * directory service alone knows have no name here, and its groups count as other people's.
 */
export async function readPeople(
  platform: NodeJS.Platform = process.platform,
  files: PeopleFiles = { passwd: '/etc/passwd', group: '/etc/group' },
): Promise<People | null> {
  const uid = process.geteuid?.();
  if (uid === undefined || platform === 'win32') {
    return null;
  }
  const users = await rows(files.passwd);
  const groups = await rows(files.group);
  const ownName = users.find((row) => Number(row[2]) === uid)?.[0] ?? loginName();
  const group = (gid: number) => groups.find((row) => Number(row[2]) === gid);
  return {
    uid,
    userName: (id) => users.find((row) => Number(row[2]) === id)?.[0] ?? (id === uid ? ownName : null),
    groupName: (gid) => group(gid)?.[0] ?? null,
    isAlone: (gid) => {
      if (gid === 0) {
        return true;
      }
      if (platform === 'darwin') {
        return gid === macAdministrators; // its users aren't in passwd
      }
      const known = group(gid);
      const members = (known?.[3] ?? '').split(',').filter((name) => name !== '');
      const first = users.filter((row) => Number(row[3]) === gid).map((row) => Number(row[2]));
      return (
        known !== undefined &&
        members.every((name) => name === 'root' || name === ownName) &&
        first.every((id) => id === 0 || id === uid)
      );
    },
  };
}

/** The lines of such a file, cut at their colons; none where it can't be read. */
async function rows(file: string): Promise<string[][]> {
  const read = await readBounded(file);
  return read?.ok
    ? read.text
        .split('\n')
        .filter((line) => /^[^#:+-][^:]*:[^:]*:\d+:/.test(line))
        .map((line) => line.trimEnd().split(':'))
    : [];
}

function loginName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null; // a user that no service knows
  }
}
