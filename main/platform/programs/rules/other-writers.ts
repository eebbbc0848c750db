import type { OtherWriter } from '../../../domain/program/program.ts';

/** Owner, group and permission bits of a file, a folder or a link. */
export interface PathOwner {
  path: string;
  uid: number;
  gid: number;
  /** With the sticky bit (0o1000). */
  mode: number;
}

/** A name looked up in a folder on the way to a file. */
export interface PathStep {
  folder: PathOwner;
  /** What the folder has under that name: the link itself where it is one. */
  entry: PathOwner;
}

/** What is known of this machine's users and groups. */
export interface People {
  /** This process's user. */
  uid: number;
  userName(uid: number): string | null;
  groupName(gid: number): string | null;
  /** Whether only root and this user are in the group; false where that is unknown. */
  isAlone(gid: number): boolean;
}

/**
 * Who beside this user and root could have put something else at the end of these steps: by writing the file, or by
 * renaming or replacing a name on the way. In a sticky folder a name is its owner's alone.
 */
export function otherWriters(
  steps: readonly PathStep[],
  file: PathOwner | null,
  people: People,
): OtherWriter[] {
  const found = new Map<string, OtherWriter>();
  const note = (path: string, who: string) => found.set(`${path}\n${who}`, { path, who });
  const isOurs = (uid: number) => uid === 0 || uid === people.uid;
  const owner = ({ path, uid }: PathOwner) => note(path, `the user ${people.userName(uid) ?? uid}`);
  const openTo = ({ mode, gid }: PathOwner): string | null =>
    (mode & 0o002) !== 0
      ? 'everybody'
      : (mode & 0o020) !== 0 && !people.isAlone(gid)
        ? `the group ${people.groupName(gid) ?? gid}`
        : null;
  for (const { folder, entry } of steps) {
    if (!isOurs(folder.uid)) {
      owner(folder);
    }
    const open = openTo(folder);
    if (open !== null && (folder.mode & 0o1000) === 0) {
      note(folder.path, open);
    } else if (open !== null && !isOurs(entry.uid)) {
      owner(entry);
    }
  }
  if (file !== null) {
    if (!isOurs(file.uid)) {
      owner(file);
    }
    const open = openTo(file);
    if (open !== null) {
      note(file.path, open);
    }
  }
  return [...found.values()];
}
