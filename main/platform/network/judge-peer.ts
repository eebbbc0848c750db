import type { PeerUser } from '../../ports/peer-user.ts';
import type { Endpoint, TcpTable } from '../../ports/tcp-table.ts';

/**
 * Whose socket `peer` is, which is connected to our `own`, where we listen. `absent`: our end is open, and no process of
 * this network has the other, as where Windows passes its loopback on to WSL.
 */
export function judgePeer(table: TcpTable, peer: Endpoint, own: Endpoint, uid: number): PeerUser | 'absent' {
  const ours = table.connected(own, peer);
  if (!ours && !table.listens(own)) {
    return 'unknown';
  }
  const theirs = table.connected(peer, own);
  if (!theirs) {
    return ours?.isOpen ? 'absent' : 'foreign';
  }
  return !theirs.isLetGo && (theirs.uid === uid || theirs.uid === 0) ? 'own' : 'foreign';
}
