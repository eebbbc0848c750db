import { lstat, mkdir, stat } from 'node:fs/promises';
import { BrokerError } from '../contract/broker-error.ts';
import type { Paths } from '../domain/paths.ts';
import { shellWord } from '../domain/shell-line.ts';

/** Bytes of a socket's path: sun_path less its NUL (unix(7)); Windows has pipes instead. */
const socketPathLimits: Readonly<Record<string, number>> = { linux: 107, darwin: 103 };

export interface HomeOwner {
  platform: string;
  /** Null where the system has no user numbers (Windows: its folder is under the user's profile). */
  uid: number | null;
}

/**
 * Makes the home, for its owner alone, or checks the one that is there. Throws BrokerError `home.…` that says
 * what to do; it repairs nothing, since what lies in an open folder may not be the person's own.
 */
export async function prepareHome(paths: Pick<Paths, 'home' | 'socket'>, owner = thisOwner()): Promise<void> {
  const { home, socket } = paths;
  const limit = socketPathLimits[owner.platform];
  const length = Buffer.byteLength(socket);
  if (limit !== undefined && length > limit) {
    throw fault('socketPath', `the path ${socket} has ${length} bytes; a socket’s may have ${limit}`, {
      hint: `set LANYARD_HOME to a folder whose path is shorter by ${length - limit} bytes or more`,
    });
  }
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await checkHome(home, owner);
  } catch (error) {
    if (error instanceof BrokerError) {
      throw error;
    }
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    const text = code === 'EEXIST' || code === 'ENOTDIR' ? 'is not a folder' : `can’t be made (${code})`;
    throw fault('unusable', `the home ${home} ${text}`, {
      hint: 'set LANYARD_HOME to a folder of yours',
      cause: error,
    });
  }
}

/** Checks the home that is there; changes nothing. Throws as `prepareHome` does, and system errors as they come. */
export async function checkHome(home: string, { uid }: HomeOwner = thisOwner()): Promise<void> {
  if (uid === null) {
    return;
  }
  const [entry, folder] = await Promise.all([lstat(home), stat(home)]);
  if (!folder.isDirectory()) {
    throw fault('unusable', `the home ${home} is not a folder`, {});
  }
  // A link of another's can be led elsewhere at any time, whoever owns what it leads to now.
  if (entry.isSymbolicLink() && entry.uid !== uid) {
    throw fault('owner', `the home ${home} is a symbolic link of user ${entry.uid}, not yours`, {
      hint: 'set LANYARD_HOME to a folder of yours',
    });
  }
  if (folder.uid !== uid) {
    throw fault('owner', `the home ${home} belongs to user ${folder.uid}, not to you (${uid})`, {
      hint: 'set LANYARD_HOME to a folder of yours',
    });
  }
  if ((folder.mode & 0o077) !== 0) {
    const mode = (folder.mode & 0o777).toString(8);
    throw fault('permissions', `the home ${home} is open to others (mode ${mode})`, {
      hint: `look at what is in it, then: chmod 700 ${shellWord(home)}`,
    });
  }
}

function fault(code: string, message: string, options: { hint?: string; cause?: unknown }): BrokerError {
  return new BrokerError(`home.${code}`, message, { reason: 'usage', ...options });
}

function thisOwner(): HomeOwner {
  return { platform: process.platform, uid: process.getuid?.() ?? null };
}
