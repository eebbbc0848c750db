import { callClass } from '../../../domain/figures/call-class.ts';
import type { PastCall } from '../../../ports/history-reader.ts';

const minuteMilliseconds = 60_000;
const dayMinutes = 1_440;
const hourMinutes = 60;
/** The median is of the hour’s last answers, this many at most. */
const sampleLimit = 4_096;

interface Minute {
  /** Minutes since 1970; -1: empty. */
  minute: number;
  calls: number;
  failed: number;
}

export interface CallCounts {
  callsThisHour: number;
  failedThisHour: number;
  medianMicroseconds: number | null;
  failedShare24h: number | null;
}

/** Counts calls by the minute for 24 hours, at a constant cost. */
export interface CallTally {
  note(call: Pick<PastCall, 'at' | 'outcome' | 'reason' | 'microseconds'>): void;
  read(now: number): CallCounts;
}

export function createCallTally(): CallTally {
  const minutes: Minute[] = Array.from({ length: dayMinutes }, () => ({ minute: -1, calls: 0, failed: 0 }));
  const durations = new Float64Array(sampleLimit);
  const times = new Float64Array(sampleLimit);
  let noted = 0;

  const sum = (now: number, length: number) => {
    const last = Math.floor(now / minuteMilliseconds);
    let calls = 0;
    let failed = 0;
    for (let minute = last - length + 1; minute <= last; minute++) {
      const slot = minutes[minute % dayMinutes];
      if (slot?.minute === minute) {
        calls += slot.calls;
        failed += slot.failed;
      }
    }
    return { calls, failed };
  };

  return {
    note({ at, outcome, reason, microseconds }) {
      const minute = Math.floor(at / minuteMilliseconds);
      const slot = minutes[minute % dayMinutes];
      if (!slot || minute < slot.minute) {
        return;
      }
      if (slot.minute !== minute) {
        Object.assign(slot, { minute, calls: 0, failed: 0 });
      }
      slot.calls += 1;
      slot.failed += callClass(outcome, reason) === 'failed' ? 1 : 0;
      // Cached credentials alone: a renewal’s time is the provider’s, a login’s the user’s.
      if (outcome === 'handedOut' && reason === 'held') {
        durations[noted % sampleLimit] = microseconds;
        times[noted % sampleLimit] = at;
        noted += 1;
      }
    },
    read(now) {
      const hour = sum(now, hourMinutes);
      const day = sum(now, dayMinutes);
      const since = now - hourMinutes * minuteMilliseconds;
      const recent = durations
        .subarray(0, Math.min(noted, sampleLimit))
        .filter((_, index) => (times[index] ?? 0) > since)
        .sort();
      return {
        callsThisHour: hour.calls,
        failedThisHour: hour.failed,
        medianMicroseconds: recent[Math.floor(recent.length / 2)] ?? null,
        failedShare24h: day.calls === 0 ? null : day.failed / day.calls,
      };
    },
  };
}
