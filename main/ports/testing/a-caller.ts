import type { Caller } from '../caller.ts';

/** kubectl, started by the user on this machine. */
export function aCaller(more: Partial<Caller> = {}): Caller {
  return {
    uid: 1,
    pid: 2,
    startTime: '3',
    executable: '/usr/bin/kubectl',
    executableId: '1:2',
    session: null,
    pidNamespace: null,
    origin: 'local',
    hasTerminal: true,
    sure: true,
    ...more,
  };
}
