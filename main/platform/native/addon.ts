import { createRequire } from 'node:module';
import type { AccessLists } from '../../ports/access-lists.ts';
import type {
  CallerChain,
  PeerCredentials,
  PeerIdentity,
  ProcessBrief,
  ProcessInfo,
} from '../../ports/peer-identity.ts';

/** A lock until it is released or the process ends. */
export interface HeldLock {
  release(): void;
}

/** A TCP socket as the kernel has it. */
export interface TcpSocket {
  /** As in linux/tcp.h: 1 established, 10 listening. */
  state: number;
  uid: number;
  /** 0: no process has it any more. */
  inode: number;
}

export interface NativeTcpTable {
  /**
   * The socket at `address` and `port` that is connected to the peer, else the one that listens there; null where there
   * is neither, or no such table. Throws where the system doesn't tell.
   */
  find(address: string, port: number, peerAddress: string, peerPort: number): TcpSocket | null;
}

/** Lines for a descriptor, written in a separate thread. */
export interface NativeLogWriter {
  /**
   * Takes complete lines; returns within milliseconds, even without a reader. What finds no room is dropped and
   * counted.
   */
  write(lines: string): void;
  /** Waits until all is written, for so long at most; false where it isn't. */
  flush(milliseconds: number): boolean;
  /** Where the descriptor is the file at `path`: at this many bytes it becomes `earlier`, and a new one is started. */
  keepSmall(path: string, earlier: string, bytes: number): void;
}

/** What the Node-API addon (native-helper/native) gives, for what Node lacks. All calls are synchronous. */
export interface NativeAddon {
  peerCredentials(descriptor: number): PeerCredentials;
  processInfo(pid: number): ProcessInfo | null;
  processBrief(pid: number): ProcessBrief | null;
  callerChain(helperPid: number): CallerChain | null;
  openLogWriter(descriptor: number): NativeLogWriter;
  ownUid(): number;
  /** Linux only; null where the kernel tells nothing, as in some sandboxes. */
  openTcpTable(): NativeTcpTable | null;
  /** Milliseconds on a clock that runs through suspend. */
  boottimeMilliseconds(): number;
  /** Takes the lock on the file at `path`, making the file; null where another process holds it. */
  acquireLock(path: string): HeldLock | null;
  /** Windows only: the pipe's name for this home; the helper makes the same. */
  pipeName(home: string): string;
  /** Windows only: gives a folder or file a separate access list, for this user, the system and administrators. */
  closeToOthers(path: string): void;
  /** Windows only: whether another user can read or change it, or owns it. */
  isOpenToOthers(path: string): boolean;
  /** Windows only: whether a user who is no administrator could have changed the file or folder. Throws where it isn't told. */
  isWrittenByOthers(path: string): boolean;
  /** No core dumps, no attaching by other processes of the same user. */
  hardenProcess(): void;
  /** Returns free memory that the allocator still has to the system. Takes a millisecond or so. */
  releaseFreeMemory(): void;
}

/** Loads the addon from the file at `path`. Throws where it was not built, or for another platform. */
export function loadAddon(path: string): NativeAddon {
  return createRequire(import.meta.url)(path) as NativeAddon;
}

/** Null where modes count. */
export function createAccessLists(
  addon: Pick<NativeAddon, 'closeToOthers' | 'isOpenToOthers'>,
  platform: string = process.platform,
): AccessLists | null {
  return platform === 'win32'
    ? { close: (path) => addon.closeToOthers(path), isOpen: (path) => addon.isOpenToOthers(path) }
    : null;
}

export function createPeerIdentity(addon: NativeAddon, ownPid: number): PeerIdentity {
  return {
    peer: (handle) => addon.peerCredentials(handle),
    process: (pid) => addon.processInfo(pid),
    chain: (helperPid) => addon.callerChain(helperPid),
    brief: (pid) => addon.processBrief(pid),
    ownUid: () => addon.ownUid(),
    ownPid: () => ownPid,
  };
}
