import type { Stats } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readlink, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { BrokerError } from '../contract/broker-error.ts';
import type { Paths } from '../domain/paths.ts';
import { closeCommand } from '../domain/text/close-command.ts';
import type { AccessLists } from '../ports/access-lists.ts';

/** The longest socket path in bytes: sun_path without its NUL (unix(7)). Windows has pipes instead. */
const socketPathLimits: Readonly<Record<string, number>> = { linux: 107, darwin: 103 };

/** By how many bytes a socket’s path is too long; 0: it isn’t. */
export function socketPathExcess(path: string, platform: string): number {
  return Math.max(0, Buffer.byteLength(path) - (socketPathLimits[platform] ?? Number.POSITIVE_INFINITY));
}

export interface HomeOwner {
  platform: string;
  /** Null where the system has no user ids (Windows). */
  uid: number | null;
  /** Null where modes count, or access lists can’t be read. */
  access: AccessLists | null;
}

/**
 * Makes the home for its owner alone (rule: owner-only), or checks an existing one; closes an empty one that a plain
 * `mkdir` left open, as each new one outside the user’s profile is on Windows. Throws BrokerError `home.…` with a hint. Repairs nothing else: others may have put files into an
 * open folder.
 */
export async function prepareHome(paths: Pick<Paths, 'home' | 'socket'>, owner: HomeOwner): Promise<void> {
  const { home, socket } = paths;
  const limit = socketPathLimits[owner.platform];
  const excess = socketPathExcess(socket, owner.platform);
  if (excess > 0) {
    const length = Buffer.byteLength(socket);
    throw fault('socketPath', `the path ${socket} has ${length} bytes; a socket’s may have ${limit}`, {
      hint: `set LANYARD_HOME to a folder whose path is shorter by ${excess} bytes or more`,
    });
  }
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await closeEmpty(home, owner);
    await checkHome(home, owner);
  } catch (error) {
    if (error instanceof BrokerError) {
      throw error;
    }
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    const text = code === 'EEXIST' || code === 'ENOTDIR' ? 'is not a folder' : `can’t be made (${code})`;
    throw fault('unusable', `the home ${home} ${text}`, {
      hint: 'set LANYARD_HOME to a folder that you own',
      cause: error,
    });
  }
}

/** Checks an existing home; changes nothing. Throws as `prepareHome` does, and lets system errors through. */
export async function checkHome(home: string, { uid, access }: HomeOwner): Promise<void> {
  if (uid === null) {
    // A link’s own access list says nothing of the folder that it leads to. The helper refuses links, too.
    if (!(await lstat(home)).isDirectory()) {
      throw fault('unusable', `the home ${home} is not a folder, or is a link to one`, {
        hint: 'set LANYARD_HOME to the folder itself',
      });
    }
    if (access?.isOpen(home)) {
      throw fault('permissions', `the home ${home} is open to others`, { hint: closeHint(home) });
    }
    return;
  }
  const folder = await ownEntry(home, uid);
  if (!folder.isDirectory()) {
    throw fault('unusable', `the home ${home} is not a folder`, {});
  }
  if (folder.uid !== uid) {
    throw fault('owner', `the home ${home} belongs to user ${folder.uid}, not to you (${uid})`, {
      hint: 'set LANYARD_HOME to a folder that you own',
    });
  }
  if ((folder.mode & 0o077) !== 0) {
    const mode = (folder.mode & 0o777).toString(8);
    throw fault('permissions', `the home ${home} is open to others (mode ${mode})`, {
      hint: closeHint(home),
    });
  }
}

/**
 * Others may put files in before chmod closes the folder. So it checks again, and reopens a folder that isn’t empty.
 */
async function closeEmpty(home: string, { uid, access }: HomeOwner): Promise<void> {
  const isEmpty = async () => (await readdir(home)).length === 0;
  if (uid === null) {
    if ((await lstat(home)).isDirectory() && access?.isOpen(home) && (await isEmpty())) {
      access.close(home);
      if (!(await isEmpty())) {
        throw fault('permissions', `the home ${home} was open to others, who put something into it`, {
          hint: 'look at what is in it, and remove it',
        });
      }
    }
    return;
  }
  const { mode, uid: owner } = await ownEntry(home, uid);
  if (owner !== uid || (mode & 0o077) === 0 || !(await isEmpty())) {
    return;
  }
  await chmod(home, 0o700);
  if (!(await isEmpty())) {
    await chmod(home, mode & 0o7777);
  }
}

/**
 * What the path leads to over this user’s symbolic links alone: another user’s link can be changed at any time, whoever
 * owns its target now. The helper follows links in the same way (native-helper/helper/src/os/unix.rs).
 */
async function ownEntry(home: string, uid: number): Promise<Stats> {
  let path = home;
  for (let links = 0; links < 8; links++) {
    const entry = await lstat(path);
    if (!entry.isSymbolicLink()) {
      return entry;
    }
    if (entry.uid !== uid) {
      throw fault('owner', `the home ${home} leads over a symbolic link of user ${entry.uid}, not yours`, {
        hint: 'set LANYARD_HOME to a folder that you own',
      });
    }
    path = resolve(await realpath(dirname(path)), await readlink(path));
  }
  throw fault('unusable', `the home ${home} leads over too many symbolic links`, {
    hint: 'set LANYARD_HOME to a folder that you own',
  });
}

function fault(code: string, message: string, options: { hint?: string; cause?: unknown }): BrokerError {
  return new BrokerError(`home.${code}`, message, { reason: 'usage', ...options });
}

function closeHint(home: string): string {
  return `look at what is in it, then: ${closeCommand(home, 'folder')}`;
}

/** The user that this process runs as. */
export function thisOwner(access: AccessLists | null): HomeOwner {
  return { platform: process.platform, uid: process.getuid?.() ?? null, access };
}
