import type { Audit } from '../ports/audit.ts';
import type { SureLog } from './create-log.ts';

/** The audit as lines of the log: each is written before `record` returns; throws where it can't be (rule 11). */
export function createLogAudit(log: Pick<SureLog, 'record'>): Audit {
  return {
    record({ caller, ...entry }) {
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
