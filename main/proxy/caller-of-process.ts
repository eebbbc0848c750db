import type { Caller } from '../ports/caller.ts';
import type { PeerIdentity } from '../ports/peer-identity.ts';

/** The process whose request goes through the proxy, as the system names it now: for the record. */
export function callerOfProcess(pid: number, identity: Pick<PeerIdentity, 'process'>): Caller {
  const found = identity.process(pid);
  return {
    uid: process.getuid?.() ?? -1,
    pid,
    startTime: found?.startTime ?? '',
    executable: found?.executable ?? null,
    executableId: found?.executableId ?? null,
    session: null,
    pidNamespace: found?.pidNamespace ?? null,
    origin: 'local',
    hasTerminal: found?.hasTerminal ?? false,
    sure: found !== null,
  };
}
