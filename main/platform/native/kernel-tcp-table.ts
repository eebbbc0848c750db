import type { Endpoint, TcpTable } from '../../ports/tcp-table.ts';
import type { NativeAddon, TcpSocket } from './addon.ts';

const established = 1;
const listening = 10;

/** The kernel's own table, asked for one socket at a time. Null where the system has none; its looks throw where it doesn't tell. */
export function openKernelTcpTable(addon: Pick<NativeAddon, 'openTcpTable'>): TcpTable | null {
  const table = process.platform === 'linux' ? addon.openTcpTable() : null;
  const find = (own: Endpoint, peer: Endpoint): TcpSocket | null =>
    table?.find(own.address, own.port, peer.address, peer.port) ?? null;
  return (
    table && {
      connected(own, peer) {
        const found = find(own, peer);
        return found && found.state !== listening
          ? { uid: found.uid, isLetGo: found.inode === 0, isOpen: found.state === established }
          : null;
      },
      listens: (own) => find(own, { address: own.address, port: 0 })?.state === listening,
    }
  );
}
