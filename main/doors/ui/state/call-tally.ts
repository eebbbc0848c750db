import { type CallClass, callClasses } from '../../../contract/doors.ts';
import { callClass } from '../../../domain/figures/call-class.ts';
import type { PastCall } from '../../../ports/history-reader.ts';

const minuteMilliseconds = 60_000;
const hourMinutes = 60;
/** The median is of the hour’s last answers, this many at most. */
const sampleLimit = 4_096;

type Counts = Record<CallClass, number>;

interface Minute extends Counts {
  /** Minutes since 1970; -1: empty. */
  minute: number;
}

export interface CallTotals {
  thisHour: Counts;
  medianMicroseconds: number | null;
}

/** Counts the calls of an hour by the minute, at a constant cost. */
export interface CallTally {
  note(call: Pick<PastCall, 'at' | 'outcome' | 'reason' | 'microseconds'>): void;
  read(now: number): CallTotals;
}

export function createCallTally(): CallTally {
  const minutes: Minute[] = Array.from({ length: hourMinutes }, () => ({ minute: -1, ...none() }));
  const durations = new Float64Array(sampleLimit);
  const times = new Float64Array(sampleLimit);
  let noted = 0;

  const sum = (now: number) => {
    const last = Math.floor(now / minuteMilliseconds);
    const total = none();
    for (const slot of minutes) {
      if (slot.minute > last - hourMinutes && slot.minute <= last) {
        for (const each of callClasses) {
          total[each] += slot[each];
        }
      }
    }
    return total;
  };

  return {
    note({ at, outcome, reason, microseconds }) {
      const minute = Math.floor(at / minuteMilliseconds);
      const slot = minutes[minute % hourMinutes];
      if (!slot || minute < slot.minute) {
        return;
      }
      if (slot.minute !== minute) {
        Object.assign(slot, { minute, ...none() });
      }
      slot[callClass(outcome, reason)] += 1;
      // Cached credentials alone: a renewal’s time is the provider’s, a login’s the user’s.
      if (outcome === 'handedOut' && reason === 'held') {
        durations[noted % sampleLimit] = microseconds;
        times[noted % sampleLimit] = at;
        noted += 1;
      }
    },
    read(now) {
      const since = now - hourMinutes * minuteMilliseconds;
      const recent = durations
        .subarray(0, Math.min(noted, sampleLimit))
        .filter((_, index) => (times[index] ?? 0) > since)
        .sort();
      return {
        thisHour: sum(now),
        medianMicroseconds: recent[Math.floor(recent.length / 2)] ?? null,
      };
    },
  };
}

function none(): Counts {
  return { handedOut: 0, noCredential: 0, declined: 0, failed: 0 };
}
