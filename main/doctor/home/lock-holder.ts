import { readFile, stat } from 'node:fs/promises';

/** Who holds the lock of a home. */
export type LockHolder =
  | { kind: 'nobody' }
  /** `pid`: null where the system doesn't tell it here (another pid namespace). */
  | { kind: 'held'; pid: number | null }
  /** The system doesn't tell without taking the lock, which a starting broker would then not get. */
  | { kind: 'unknown' };

/** Looks for an exclusive flock on the file at `path`, in the kernel's table (proc(5), /proc/locks): Linux alone. */
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
    // The device is left out: an overlay has another number than the file system under it.
    if (type === 'FLOCK' && mode === 'WRITE' && place.split(':')[2] === String(file.ino)) {
      return { kind: 'held', pid: Number(pid) > 0 ? Number(pid) : null };
    }
  }
  return { kind: 'nobody' };
}
