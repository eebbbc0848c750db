import { readFile } from 'node:fs/promises';
import { isIPv4, type Socket } from 'node:net';
import { endianness } from 'node:os';

/** One end of a TCP connection. */
export interface Endpoint {
  address: string;
  port: number;
}

export type PeerUser =
  /** This user, or root. */
  | 'own'
  /** Another user; or a connection that was let go of at once, whose user nobody can tell any more. */
  | 'foreign'
  /** The system doesn't say. */
  | 'unknown';

/**
 * Whose process is at the other end of a connection over loopback. Only Linux tells (`/proc/net/tcp`, proc(5));
 * elsewhere it is unknown.
 */
export async function peerUser({
  remoteAddress,
  remotePort,
  localAddress,
  localPort,
}: Socket): Promise<PeerUser> {
  const uid = process.geteuid?.();
  if (process.platform !== 'linux' || uid === undefined) {
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
  const first = judgePeer(await readTables(), peer, own, uid);
  if (first !== 'absent') {
    return first;
  }
  // The tables aren't of one moment: who let go in the middle of the reading has left no open connection by now.
  const second = judgePeer(await readTables(), peer, own, uid);
  return second === 'absent' ? 'unknown' : second;
}

async function readTables(): Promise<string> {
  const files = ['/proc/net/tcp', '/proc/net/tcp6'];
  const tables = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')));
  return tables.join('\n');
}

/**
 * Finds in the kernel's tables whose socket `peer` is, connected to our `own`, where we listen. `absent`: our end is
 * open, and no process of this network has the other, as where Windows hands its loopback on to WSL.
 */
export function judgePeer(tables: string, peer: Endpoint, own: Endpoint, uid: number): PeerUser | 'absent' {
  const rows = tables.split('\n').flatMap((line) => {
    const [, local = '', remote = '', state = '', , , , owner = '', , inode = ''] = line.trim().split(/\s+/);
    return /^\d+$/.test(owner) ? [{ local, remote, state, owner: Number(owner), inode }] : [];
  });
  const [peers, owns] = [hexForms(peer), hexForms(own)];
  // Where not even our own listening stands in it the table isn't that of this network.
  if (!rows.some(({ local, state }) => state === listening && owns.includes(local))) {
    return 'unknown';
  }
  const row = rows.find(({ local, remote }) => peers.includes(local) && owns.includes(remote));
  if (!row) {
    const isOpen = rows.some(
      ({ local, remote, state }) => state === established && owns.includes(local) && peers.includes(remote),
    );
    return isOpen ? 'absent' : 'foreign';
  }
  // A socket that no process holds any more (inode 0) is listed as root's.
  return row.inode !== '0' && (row.owner === uid || row.owner === 0) ? 'own' : 'foreign';
}

const established = '01';
const listening = '0A';

/** As the tables have it: 32-bit words in the machine's order; a socket for both families has IPv4 within IPv6. */
function hexForms({ address, port }: Endpoint): string[] {
  const tail = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const plain = address.replace(/^::ffff:/i, '');
  if (isIPv4(plain)) {
    const word = wordOf(plain.split('.').map(Number));
    return [`${word}${tail}`, `${'0'.repeat(16)}${wordOf([0, 0, 255, 255])}${word}${tail}`];
  }
  return plain === '::1' ? [`${'0'.repeat(24)}${wordOf([0, 0, 0, 1])}${tail}`] : [];
}

function wordOf(bytes: readonly number[]): string {
  return Buffer.from(endianness() === 'LE' ? bytes.toReversed() : bytes)
    .toString('hex')
    .toUpperCase();
}
