import type { Audit } from '../ports/audit.ts';
import type { Log } from '../ports/log.ts';

/** The audit as lines of the log: each is written before `record` returns. */
export function createLogAudit(log: Pick<Log, 'info'>): Audit {
  return {
    record({ caller, ...entry }) {
      log.info('audit', {
        ...entry,
        callerPid: caller.pid,
        callerExecutable: caller.executable,
        callerOrigin: caller.origin,
        callerSure: caller.sure,
      });
    },
  };
}
