import { randomBytes } from 'node:crypto';
import type { PeerIdentity } from '../../ports/peer-identity.ts';

/** Who holds a lock of Lanyard's: one process of one machine. */
export interface LockOwner {
  pid: number;
  startTime: string;
  /** Pids mean something only in their own namespace. */
  namespace: string;
  host: string;
}

export interface LockOwnerDeps {
  processes: Pick<PeerIdentity, 'process' | 'ownPid'>;
  /** This machine's name: a home may be on a network file system. */
  host: string;
}

const prefix = 'lanyard-lock';

/** What a lock of this process says; no two are the same. One file name's characters only. */
export function ownLockText({ processes, host }: LockOwnerDeps): string {
  const pid = processes.ownPid();
  const own = processes.process(pid);
  const parts = [pid, own?.startTime ?? '', own?.pidNamespace ?? '', host, randomBytes(6).toString('hex')];
  return [prefix, ...parts.map((part) => encodeURIComponent(part))].join(':');
}

/** Null for a lock that is another program's. */
export function readLockText(text: string): LockOwner | null {
  const [first, pid = '', startTime = '', namespace = '', host = '', random] = text.split(':');
  if (first !== prefix || !/^\d+$/.test(pid) || random === undefined) {
    return null;
  }
  try {
    return {
      pid: Number(pid),
      startTime: decodeURIComponent(startTime),
      namespace: decodeURIComponent(namespace),
      host: decodeURIComponent(host),
    };
  } catch {
    return null;
  }
}

/** True only where it is certain: another machine's or container's process can't be seen from here. */
export function isGone(owner: LockOwner, { processes, host }: LockOwnerDeps): boolean {
  const own = processes.process(processes.ownPid());
  if (owner.host !== host || owner.namespace !== (own?.pidNamespace ?? '')) {
    return false;
  }
  const found = processes.process(owner.pid);
  return found === null || found.startTime !== owner.startTime;
}
