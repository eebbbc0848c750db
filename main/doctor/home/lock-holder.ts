import { readFile, stat } from 'node:fs/promises';

/** The process that has a home’s lock. */
export type LockHolder =
  | { kind: 'nobody' }
  /** `pid`: null where the system doesn’t tell it (another pid namespace). */
  | { kind: 'held'; pid: number | null }
  /** The system only tells by taking the lock, which a starting broker would then not get. */
  | { kind: 'unknown' };

/** Finds an exclusive flock on the file at `path` in the kernel’s table (proc(5), /proc/locks). Linux only. */
export async function lockHolder(path: string, table = '/proc/locks'): Promise<LockHolder> {
  const file = await stat(path).catch(() => null);
  if (file === null) {
    return { kind: 'nobody' };
  }
  const locks = await readFile(table, 'utf8').catch(() => null);
  if (locks === null) {
    return { kind: 'unknown' };
  }
  for (const line of locks.split('\n')) {
    // 3: FLOCK  ADVISORY  WRITE 4711 08:01:1234 0 EOF
    const [, type, , mode, pid = '', place = ''] = line.trim().split(/\s+/);
    // Without the device: an overlay’s number differs from that of the file system under it.
    if (type === 'FLOCK' && mode === 'WRITE' && place.split(':')[2] === String(file.ino)) {
      return { kind: 'held', pid: Number(pid) > 0 ? Number(pid) : null };
    }
  }
  return { kind: 'nobody' };
}
