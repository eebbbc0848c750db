import type { Recorder } from '../ports/history.ts';
import type { SureLog } from './create-log.ts';

/** Events as lines of the log: a call's is written before `record` returns; throws where it can't be (rule 11). */
export function createLogRecorder(log: SureLog): Recorder {
  return {
    record(event) {
      if (event.kind !== 'call') {
        log.info(`history.${event.kind}`, { ...event });
        return;
      }
      const { caller, kind: _, ...entry } = event;
      log.record('audit', {
        ...entry,
        callerPid: caller.pid,
        callerExecutable: caller.executable,
        callerOrigin: caller.origin,
        callerSure: caller.sure,
      });
    },
  };
}
