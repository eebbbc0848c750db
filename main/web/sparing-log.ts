import { createAllowance } from '../base/allowance.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

/** A log for what any page of the browser can bring about: some lines at once, then one every ten seconds. */
export function createSparingLog(log: Log, clock: Pick<Clock, 'boottime'>): Log {
  const may = createAllowance({ atOnce: 20, perSecond: 0.1 }, clock);
  return { ...log, warn: (event, fields) => (may.take(1) ? log.warn(event, fields) : undefined) };
}
