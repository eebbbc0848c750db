import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { createSharedRead } from '../../base/shared-read.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LookUpPeer, PeerUser } from '../../ports/peer-user.ts';
import type { TcpTable } from '../../ports/tcp-table.ts';
import { judgePeer } from './judge-peer.ts';
import { parseProcTable } from './proc-table.ts';

export interface PeerLookupDeps {
  /** The kernel’s record of one socket; null where there is none, as in a sandbox without netlink. */
  kernel: TcpTable | null;
  clock: Pick<Clock, 'boottime' | 'after'>;
  /** This user; null: the system has none, or doesn't tell the owners of sockets. */
  uid: number | null;
  /** All sockets as text: `/proc/net/tcp` and `tcp6` unless told otherwise. */
  readTables?(): Promise<string>;
}

/**
 * The user whose process is at the other end of a connection over loopback. Only Linux tells; elsewhere it is
 * unknown. The kernel is queried only for the two sockets: the complete table takes it many milliseconds, and any
 * user of the machine could cause that (rule: guarded-loopback).
 */
export function createPeerLookup({
  kernel,
  clock,
  uid,
  readTables = readProcTables,
}: PeerLookupDeps): LookUpPeer {
  const readAll = createSharedRead(async () => parseProcTable(await readTables()), clock);
  return (socket) => look(socket).catch(() => 'foreign');

  async function look({ remoteAddress, remotePort, localAddress, localPort }: Socket): Promise<PeerUser> {
    if (uid === null) {
      return 'unknown';
    }
    if (
      remoteAddress === undefined ||
      remotePort === undefined ||
      localAddress === undefined ||
      localPort === undefined
    ) {
      return 'foreign'; // it is closed already
    }
    const peer = { address: remoteAddress, port: remotePort };
    const own = { address: localAddress, port: localPort };
    const asked = kernel && attempt(() => judgePeer(kernel, peer, own, uid));
    if (asked === 'own' || asked === 'foreign') {
      return asked;
    }
    const first = judgePeer(await readAll(), peer, own, uid);
    if (first !== 'absent') {
      return first;
    }
    // The tables aren't of one moment: who let go in the middle of the reading has left no open connection by now.
    const second = judgePeer(await readAll(), peer, own, uid);
    return second === 'absent' ? 'unknown' : second;
  }
}

/** Null where the system doesn't tell. */
function attempt<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}

/** Of this user's own network; null where no system tells whose a socket is. */
export function lookingUser(): number | null {
  return process.platform === 'linux' ? (process.geteuid?.() ?? null) : null;
}

async function readProcTables(): Promise<string> {
  const files = ['/proc/net/tcp', '/proc/net/tcp6'];
  const tables = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')));
  return tables.join('\n');
}
