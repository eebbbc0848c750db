import type { Caller } from '../ports/caller.ts';
import type { PeerIdentity, ProcessInfo } from '../ports/peer-identity.ts';

/** How far up the tree of processes an SSH daemon is looked for. */
const ancestorLimit = 24;
const sshDaemons = new Set(['sshd', 'sshd-session']);

function sameProcess(a: ProcessInfo, b: ProcessInfo | null): boolean {
  return b !== null && a.startTime === b.startTime && a.parentPid === b.parentPid;
}

function originOf(
  parent: ProcessInfo,
  identity: PeerIdentity,
  ownNamespace: string | null,
): Caller['origin'] {
  if (parent.pidNamespace !== null && ownNamespace !== null && parent.pidNamespace !== ownNamespace) {
    return 'container';
  }
  let process: ProcessInfo | null = parent;
  for (let step = 0; process && process.pid > 1 && step < ancestorLimit; step++) {
    if (sshDaemons.has(process.name)) {
      return 'ssh';
    }
    process = identity.process(process.parentPid);
  }
  return 'local';
}

/**
 * The caller of a request: the parent of the helper at the other end of the socket. The helper waits for
 * its answer meanwhile, so the pid stays its own; that it is still the same child of the same parent is looked
 * at again at the end.
 */
export function lookUpCaller(identity: PeerIdentity, helperPid: number, helperUid: number): Caller {
  const own = identity.process(identity.ownPid());
  const helper = identity.process(helperPid);
  const parent = helper && identity.process(helper.parentPid);
  if (!helper || !parent) {
    return unknownCaller(helperUid, helper);
  }
  const leader = identity.process(parent.sessionLeaderPid);
  const sure = sameProcess(helper, identity.process(helperPid));
  return {
    uid: helperUid,
    pid: parent.pid,
    startTime: parent.startTime,
    executable: parent.executable,
    executableId: parent.executableId,
    session: leader && { leaderPid: leader.pid, startTime: leader.startTime },
    pidNamespace: parent.pidNamespace,
    origin: originOf(parent, identity, own?.pidNamespace ?? null),
    hasTerminal: helper.hasTerminal,
    sure,
  };
}

/** A peer whose parent can't be seen: a process of its own class, that inherits nobody's answers. */
function unknownCaller(uid: number, helper: ProcessInfo | null): Caller {
  return {
    uid,
    pid: 0,
    startTime: '',
    executable: null,
    executableId: null,
    session: null,
    pidNamespace: helper?.pidNamespace ?? null,
    origin: 'container',
    hasTerminal: helper?.hasTerminal ?? false,
    sure: false,
  };
}
