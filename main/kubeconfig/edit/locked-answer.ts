import { spanText } from '../../contract/ui/time-texts.ts';
import type { FoundLock } from './lock-file.ts';

/** The file is locked by another program; nothing was written. */
export interface LockedAnswer {
  ok: false;
  reason: 'locked';
  lockFile: string;
  /** How long it has been there. */
  ageMilliseconds: number;
  /** What is the case, lower case, and what to do. */
  message: string;
  hint: string;
}

/** kubectl holds its lock for a moment; one that is older was left by a crash. */
const freshMilliseconds = 10 * 60_000;

export function lockedAnswer(file: string, { path, owner, madeAt }: FoundLock, now: number): LockedAnswer {
  // A clock that was set back must not make it older or newer than can be.
  const ageMilliseconds = Math.max(0, now - madeAt);
  const who = owner ? `lanyard on ${owner.host} (process ${owner.pid})` : 'another program';
  const isFresh = ageMilliseconds < freshMilliseconds;
  return {
    ok: false,
    reason: 'locked',
    lockFile: path,
    ageMilliseconds,
    message: `${file} has been locked by ${who} for ${spanText(ageMilliseconds)}; it is unchanged`,
    hint: isFresh
      ? 'try again in a moment'
      : `kubectl leaves its lock behind where it is ended in the middle: if no program is changing the file, remove ${path}`,
  };
}
