import { endianness } from 'node:os';
import { describe, expect, test } from 'vitest';
import { type Endpoint, judgePeer } from './peer-user.ts';

const me = 1000;
const at = (address: string, port: number): Endpoint => ({ address, port });
const heading =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';

function row(local: string, remote: string, state: string, uid: number, inode: number): string {
  return `   1: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0000000094845ddf 100 0 0 10 0`;
}

/** 127.0.0.1:5000 listens; 40000 is the peer's port. */
const listens = row('0100007F:1388', '00000000:0000', '0A', me, 10);
const ourEnd = row('0100007F:1388', '0100007F:9C40', '01', me, 11);
const peerEnd = (uid: number, inode = 12, state = '01') =>
  row('0100007F:9C40', '0100007F:1388', state, uid, inode);
const judge = (...rows: string[]) =>
  judgePeer([heading, ...rows].join('\n'), at('127.0.0.1', 40_000), at('127.0.0.1', 5_000), me);

describe.runIf(endianness() === 'LE')('whose socket is at the other end', () => {
  test.each([
    ['mine', [listens, ourEnd, peerEnd(me)], 'own'],
    ['root’s', [listens, ourEnd, peerEnd(0)], 'own'],
    ['another user’s', [listens, ourEnd, peerEnd(1001)], 'foreign'],
    ['let go of, so that it counts as root’s', [listens, ourEnd, peerEnd(0, 0, '05')], 'foreign'],
    ['gone', [listens, row('0100007F:1388', '0100007F:9C40', '08', me, 11)], 'foreign'],
    ['gone, and our end with it', [listens], 'foreign'],
    ['nobody’s here, over an open connection', [listens, ourEnd], 'absent'],
    [
      'of the same port, to somewhere else',
      [listens, row('0100007F:9C40', '0100007F:0050', '01', me, 9)],
      'foreign',
    ],
    ['not told: the table is another network’s', [peerEnd(1001)], 'unknown'],
    ['not told: there is no table', [], 'unknown'],
  ])('%s', (_, rows, user) => {
    expect(judge(...rows)).toBe(user);
  });

  test('a browser’s socket for both families stands in the table of IPv6', () => {
    const mapped = '0000000000000000FFFF00000100007F';
    expect(judge(listens, row(`${mapped}:9C40`, `${mapped}:1388`, '01', me, 12))).toBe('own');
    expect(judge(listens, row(`${mapped}:9C40`, `${mapped}:1388`, '01', 1001, 12))).toBe('foreign');
  });

  test('::1', () => {
    const one = '00000000000000000000000001000000';
    const tables = [
      row(`${one}:1388`, `${'0'.repeat(32)}:0000`, '0A', me, 10),
      row(`${one}:9C40`, `${one}:1388`, '01', 1001, 12),
    ].join('\n');
    expect(judgePeer(tables, at('::1', 40_000), at('::1', 5_000), me)).toBe('foreign');
    expect(judgePeer(tables, at('::1', 40_000), at('::1', 5_000), 1001)).toBe('own');
  });
});
