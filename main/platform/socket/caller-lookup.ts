import { visibleText } from '../../domain/text/visible-text.ts';
import type { Caller } from '../../ports/caller.ts';
import type { PeerIdentity, ProcessBrief } from '../../ports/peer-identity.ts';

/** How far up the tree of processes an SSH daemon is looked for. */
const ancestorLimit = 24;
const sshDaemons = new Set(['sshd', 'sshd-session', 'sshd.exe', 'sshd-session.exe']);

/** Terminals whose origin is remembered: few are open at a time. */
const rememberedLimit = 256;

/** The caller of a connection; `helperPid` is the process at its other end. */
export type CallerLookup = (helperPid: number, helperUid: number) => Caller;

/**
 * Looks up callers: the parent of the helper at the other end of the socket. The helper waits for its answer
 * meanwhile, so the pid stays its own; at the end it is checked again that it is still the same child of the same
 * parent. What the system doesn't show makes a label weaker, and denies no caller (rule: caller-is-a-label).
 */
export function createCallerLookup(identity: PeerIdentity): CallerLookup {
  const ownNamespace = identity.process(identity.ownPid())?.pidNamespace ?? null;
  const belowSsh = createSshMemory(identity);
  return (helperPid, helperUid) => {
    const chain = identity.chain(helperPid);
    if (!chain?.parent) {
      return unknownCaller(helperUid, chain?.helper ?? null);
    }
    const { helper, parent, above, sessionLeader: leader } = chain;
    const foreign =
      parent.pidNamespace !== null && ownNamespace !== null && parent.pidNamespace !== ownNamespace;
    return {
      uid: helperUid,
      pid: parent.pid,
      startTime: parent.startTime,
      parentName: above && above.pid > 1 ? wholeNameOf(above, identity) : null,
      executable: parent.executable,
      executableId: parent.executableId,
      session: leader && !isLaunchd(leader) ? { leaderPid: leader.pid, startTime: leader.startTime } : null,
      pidNamespace: parent.pidNamespace,
      origin: foreign ? 'container' : belowSsh(parent, above) ? 'ssh' : 'local',
      hasTerminal: helper.hasTerminal,
      sure: chain.sure,
      kinship: kinshipOf(helper, parent),
    };
  };
}

/**
 * A child is in its parent's session, unless it leads one of its own (setsid). In a third one it was left behind: the
 * system gives such a process to pid 1, or to a subreaper such as `systemd --user`, which has its own session
 * (rule: way-in).
 */
function kinshipOf(helper: ProcessBrief, parent: ProcessBrief): Caller['kinship'] & string {
  if (helper.sessionLeaderPid === parent.sessionLeaderPid) {
    return 'child';
  }
  return helper.sessionLeaderPid === helper.pid ? 'unclear' : 'adopted';
}

/** On macOS it leads the session that all apps without a terminal are in: that isn't one terminal. */
function isLaunchd({ pid, name }: ProcessBrief): boolean {
  return pid === 1 && name === 'launchd';
}

/** How many processes above a caller the user is shown. */
const shownLimit = 8;

/**
 * Names of the caller and of those above it, nearest first, as the system has them: a program can name itself as
 * it likes, so they are for people alone. Empty where the caller is not there any more.
 */
export function lineageOf(caller: Caller, identity: Pick<PeerIdentity, 'brief' | 'process'>): string[] {
  const names: string[] = [];
  let process = caller.pid > 0 ? identity.brief(caller.pid) : null;
  if (process?.startTime !== caller.startTime) {
    return names;
  }
  while (process && process.pid > 1 && names.length < shownLimit) {
    names.push(visibleText(nameOf(process, identity), 64));
    process = identity.brief(process.parentPid);
  }
  return names;
}

/** Node names its main thread so, and Linux the process after it: the program’s name says more. */
const nodeThread = 'MainThread';

/** Names of this many bytes are cut, as “Code Helper (Plugin)” is: MAXCOMLEN of macOS. Linux has one byte less. */
const macNameBytes = 16;

function nameOf(process: ProcessBrief, identity: Pick<PeerIdentity, 'process'>): string {
  const executable = process.name === nodeThread ? fileNameOf(process.pid, identity) : null;
  return executable || wholeNameOf(process, identity);
}

function wholeNameOf({ pid, name }: ProcessBrief, identity: Pick<PeerIdentity, 'process'>): string {
  if (Buffer.byteLength(name) !== macNameBytes) {
    return name;
  }
  const whole = fileNameOf(pid, identity);
  return whole?.startsWith(name) ? whole : name;
}

function fileNameOf(pid: number, identity: Pick<PeerIdentity, 'process'>): string | undefined {
  return identity.process(pid)?.executable?.split('/').at(-1);
}

/** A running process, by pid and start time. Null: it isn't running, or the system can't tell. */
export function processOf(
  pid: number,
  identity: Pick<PeerIdentity, 'brief'>,
): { pid: number; startTime: string } | null {
  try {
    const found = identity.brief(pid);
    return found && { pid, startTime: found.startTime };
  } catch {
    return null;
  }
}

/** No tree of processes is that deep; a chain that never ended would be the system's mistake. */
const depthLimit = 64;

/** The caller and all above it, nearest first, by pid and start time. Empty where the caller is not there any more. */
export function ancestorsOf(
  caller: Caller,
  identity: Pick<PeerIdentity, 'brief'>,
): { pid: number; startTime: string }[] {
  const found: { pid: number; startTime: string }[] = [];
  let process = caller.pid > 0 ? identity.brief(caller.pid) : null;
  if (process?.startTime !== caller.startTime) {
    return found;
  }
  while (process && process.pid > 1 && found.length < depthLimit) {
    found.push({ pid: process.pid, startTime: process.startTime });
    process = identity.brief(process.parentPid);
  }
  return found;
}

/**
 * Whether a process comes from an SSH daemon. The caller itself lives for one command, the shell above it for
 * long: what was found for it is remembered by pid and start time, as long as its own parent is the same.
 */
function createSshMemory(identity: PeerIdentity) {
  const remembered = new Map<string, boolean>();
  return (process: ProcessBrief, above: ProcessBrief | null): boolean => {
    if (sshDaemons.has(process.name)) {
      return true;
    }
    if (!above) {
      return false;
    }
    const key = `${above.pid} ${above.startTime} ${above.parentPid}`;
    const known = remembered.get(key);
    if (known !== undefined) {
      return known;
    }
    const found = isBelowSsh(above, identity);
    if (remembered.size >= rememberedLimit) {
      remembered.clear();
    }
    remembered.set(key, found);
    return found;
  };
}

function isBelowSsh(start: ProcessBrief, identity: PeerIdentity): boolean {
  let process: ProcessBrief | null = start;
  for (let step = 0; process && process.pid > 1 && step < ancestorLimit; step++) {
    if (sshDaemons.has(process.name)) {
      return true;
    }
    process = identity.brief(process.parentPid);
  }
  return false;
}

/** A peer whose parent is unknown: its own class, so that it shares no other caller’s approvals. */
function unknownCaller(uid: number, helper: ProcessBrief | null): Caller {
  return {
    uid,
    pid: 0,
    startTime: '',
    executable: null,
    executableId: null,
    session: null,
    pidNamespace: null,
    origin: 'container',
    hasTerminal: helper?.hasTerminal ?? false,
    sure: false,
  };
}
