import { type Allowance, createAllowance } from '../../base/allowance.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';

/** A log for warnings that any program can bring about: so many. The next one that is logged says how many were not. */
export function createSparingLog(log: Log, clock: Pick<Clock, 'boottime'>, allowance: Allowance): Log {
  const may = createAllowance(allowance, clock);
  let unlogged = 0;
  return {
    ...log,
    warn(event, fields) {
      if (!may.take(1)) {
        unlogged += 1;
        return;
      }
      log.warn(event, unlogged === 0 ? fields : { ...fields, unlogged });
      unlogged = 0;
    },
  };
}
