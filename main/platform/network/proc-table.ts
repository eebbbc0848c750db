import { isIPv4 } from 'node:net';
import { endianness } from 'node:os';
import type { Endpoint, TcpRow, TcpTable } from '../../ports/tcp-table.ts';

const established = '01';
const listening = '0A';

/** The texts of `/proc/net/tcp` and `tcp6`, one after the other (proc(5)). */
export function parseProcTable(text: string): TcpTable {
  const connected = new Map<string, TcpRow>();
  const listens = new Set<string>();
  for (const line of text.split('\n')) {
    const [, local = '', remote = '', state = '', , , , owner = '', , inode = ''] = line.trim().split(/\s+/);
    if (state === listening) {
      listens.add(local);
    } else if (/^\d+$/.test(owner)) {
      const row = { uid: Number(owner), isLetGo: inode === '0', isOpen: state === established };
      connected.set(`${local} ${remote}`, row);
    }
  }
  return {
    listens: (own) => hexForms(own).some((form) => listens.has(form)),
    connected(own, peer) {
      const [owns, peers] = [hexForms(own), hexForms(peer)];
      const keys = owns.flatMap((local) => peers.map((remote) => `${local} ${remote}`));
      return keys.map((key) => connected.get(key)).find((row) => row !== undefined) ?? null;
    },
  };
}

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
