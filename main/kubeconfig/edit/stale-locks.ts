import { namesOf } from '../../config/write-durably.ts';
import { freeStaleLock } from './lock-file.ts';
import type { LockOwnerDeps } from './lock-owner.ts';

/**
 * Removes the locks that a killed process of Lanyard's left at these files: kubectl doesn't wait, and would refuse
 * each change of them. Other programs' locks stay. Returns the removed locks; never throws.
 */
export async function freeStaleLocks(files: Iterable<string>, deps: LockOwnerDeps): Promise<string[]> {
  const freed: string[] = [];
  for (const file of new Set(files)) {
    const names = await namesOf(file).then(
      ({ all }) => all,
      () => [],
    );
    for (const lock of names.map((name) => `${name}.lock`)) {
      if (await freeStaleLock(lock, deps).catch(() => false)) {
        freed.push(lock);
      }
    }
  }
  return freed;
}
