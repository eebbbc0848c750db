import type { BigIntStats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { posix } from 'node:path';
import type { PathOwner, PathStep } from './rules/other-writers.ts';

/** The way to a file, as the system takes it. */
export interface WalkedPath {
  /** Where it ends, without links. */
  target: string;
  facts: BigIntStats;
  /** Each name that was looked up, links and what they lead through included. */
  steps: readonly PathStep[];
}

/** As Linux: more links are a circle. */
const linkLimit = 40;

/** Follows an absolute POSIX path name by name; null where it leads to nothing. Throws nothing else than the system's errors. */
export async function walkPath(path: string): Promise<WalkedPath | null> {
  const steps: PathStep[] = [];
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  const above: { path: string; facts: BigIntStats }[] = [];
  const root = { path: '/', facts: await lstat('/', { bigint: true }) };
  let at = root;
  let links = 0;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (name === '..') {
      at = above.pop() ?? root;
      continue;
    }
    const entry = await look(posix.join(at.path, name));
    if (entry === null) {
      return null;
    }
    steps.push({ folder: ownerOf(at.path, at.facts), entry: ownerOf(entry.path, entry.facts) });
    if (entry.facts.isSymbolicLink()) {
      links += 1;
      if (links > linkLimit) {
        return null;
      }
      const leads = await readlink(entry.path);
      names.unshift(...leads.split('/').filter((part) => part !== '' && part !== '.'));
      if (leads.startsWith('/')) {
        above.length = 0;
        at = root;
      }
      continue;
    }
    above.push(at);
    at = entry;
  }
  return { target: at.path, facts: at.facts, steps };
}

async function look(path: string): Promise<{ path: string; facts: BigIntStats } | null> {
  try {
    return { path, facts: await lstat(path, { bigint: true }) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'EACCES') {
      return null;
    }
    throw error;
  }
}

/** What counts of a file for who may write it. */
export function ownerOf(path: string, { uid, gid, mode }: BigIntStats): PathOwner {
  return { path, uid: Number(uid), gid: Number(gid), mode: Number(mode & 0o7777n) };
}
