import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import { beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { Endpoint, TcpRow, TcpTable } from '../../ports/tcp-table.ts';
import { judgePeer } from './judge-peer.ts';
import { createPeerLookup } from './peer-user.ts';
import { parseProcTable } from './proc-table.ts';

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
  judgePeer(
    parseProcTable([heading, ...rows].join('\n')),
    at('127.0.0.1', 40_000),
    at('127.0.0.1', 5_000),
    me,
  );

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
    const table = parseProcTable(tables);
    expect(judgePeer(table, at('::1', 40_000), at('::1', 5_000), me)).toBe('foreign');
    expect(judgePeer(table, at('::1', 40_000), at('::1', 5_000), 1001)).toBe('own');
  });
});

describe.runIf(endianness() === 'LE')('a look', () => {
  const socket = {
    remoteAddress: '127.0.0.1',
    remotePort: 40_000,
    localAddress: '127.0.0.1',
    localPort: 5_000,
  } as Socket;
  const open = (uid: number): TcpRow => ({ uid, isLetGo: false, isOpen: true });
  const kernel = (theirs: TcpRow | null, ours: TcpRow | null = open(me)): TcpTable => ({
    connected: (own) => (own.port === 5_000 ? ours : theirs),
    listens: () => ours !== null,
  });
  const refusing: TcpTable = {
    connected() {
      throw new Error('EACCES');
    },
    listens: () => false,
  };
  let clock: ManualClock;
  let rows: string[];
  let reads: number;
  /** What a read takes. */
  let milliseconds: number;
  beforeEach(() => {
    [clock, rows, reads, milliseconds] = [new ManualClock(), [listens, ourEnd, peerEnd(me)], 0, 20];
  });
  const lookup = (table: TcpTable | null) =>
    createPeerLookup({
      kernel: table,
      clock,
      uid: me,
      async readTables() {
        reads += 1;
        clock.advance(milliseconds);
        return rows.join('\n');
      },
    });
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  test('asks the kernel for one socket, and reads no table, however many another user opens', async () => {
    const look = lookup(kernel(open(1001)));
    const all = await Promise.all(Array.from({ length: 60 }, () => look(socket)));
    expect(new Set(all)).toEqual(new Set(['foreign']));
    expect(await lookup(kernel(open(me)))(socket)).toBe('own');
    expect(reads).toBe(0);
  });

  test.each([
    ['has no such table', null],
    ['refuses', refusing],
    ['has a table without even our own end, as without its module', kernel(null, null)],
    ['has nobody at the other end', kernel(null)],
  ])('reads the table where the kernel %s', async (_, table) => {
    expect(await lookup(table)(socket)).toBe('own');
    expect(reads).toBe(1);
  });

  test('is unknown where no process is found twice, and foreign where our end has gone meanwhile', async () => {
    rows = [listens, ourEnd];
    const look = lookup(kernel(null));
    const unknown = look(socket);
    await turn();
    clock.advance(250);
    expect(await unknown).toBe('unknown');
    const foreign = look(socket);
    clock.advance(250);
    await turn();
    rows = [listens];
    clock.advance(250);
    expect(await foreign).toBe('foreign');
  });

  test('shares one read of the table with all who wait, and reads for a tenth of the time at most', async () => {
    const look = lookup(null);
    const burst = Array.from({ length: 60 }, () => look(socket));
    await Promise.all(burst);
    expect(reads).toBe(1);
    const later = Array.from({ length: 60 }, () => look(socket));
    await turn();
    clock.advance(179);
    await turn();
    expect(reads).toBe(1);
    clock.advance(1);
    expect(new Set(await Promise.all(later))).toEqual(new Set(['own']));
    expect(reads).toBe(2);
  });

  test('gets what was read after it asked', async () => {
    rows = [listens];
    const { promise: reading, resolve: began } = Promise.withResolvers<void>();
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    let first = true;
    const look = createPeerLookup({
      kernel: null,
      clock,
      uid: me,
      async readTables() {
        const text = rows.join('\n');
        if (first) {
          first = false;
          began();
          await finished;
        }
        return text;
      },
    });
    const early = look(socket);
    await reading;
    rows = [listens, ourEnd, peerEnd(me)];
    const late = look(socket);
    finish();
    expect(await early).toBe('foreign');
    await turn();
    clock.advance(250);
    expect(await late).toBe('own');
  });

  test('never waits for long, whatever a read takes', async () => {
    milliseconds = 60_000;
    const look = lookup(null);
    await look(socket);
    const next = look(socket);
    await turn();
    clock.advance(250);
    expect(await next).toBe('own');
  });

  test.each([
    ['is foreign where the connection is closed already', me, {} as Socket, 'foreign'],
    ['is unknown where no system tells', null, socket, 'unknown'],
  ])('%s', async (_, uid, whose, expected) => {
    const look = createPeerLookup({ kernel: null, clock, uid, readTables: async () => '' });
    expect(await look(whose)).toBe(expected);
  });

  test('is foreign where reading fails in an unexpected way', async () => {
    const readTables = () => Promise.reject(new Error('no'));
    expect(await createPeerLookup({ kernel: null, clock, uid: me, readTables })(socket)).toBe('foreign');
  });
});
