import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadAddon } from '../../main/platform/native/addon.ts';
import { openKernelTcpTable } from '../../main/platform/native/kernel-tcp-table.ts';
import { createSystemClock } from '../../main/platform/native/system-clock.ts';
import { createPeerLookup } from '../../main/platform/network/peer-user.ts';
import type { PeerUser } from '../../main/ports/peer-user.ts';
import { nodeForAnyone } from '../support/node-for-anyone.ts';
import { type Running, type RunOptions, start } from '../support/processes.ts';

/** The kernel's own word about one socket beside the whole of /proc/net/tcp, for real sockets of real users. */

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const addon = loadAddon(join(import.meta.dirname, '..', '..', 'dist', 'native', 'lanyard.node'));
const clock = createSystemClock(addon);
const kernel = openKernelTcpTable(addon);

/** How often the whole table was read. */
let reads: number;
let folder: string;
let node: string;
let servers: Server[];
let clients: Running[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ly-peer-'));
  chmodSync(folder, 0o755);
  node = nodeForAnyone(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  [reads, servers, clients] = [0, [], []];
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.dispose()));
  for (const server of servers) {
    server.close();
  }
});

const counted = async () => {
  reads += 1;
  return ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFileSync(file, 'latin1')).join('\n');
};
const byKernel = (uid: number) => createPeerLookup({ kernel, clock, uid, readTables: counted });
const byTable = (uid: number) => createPeerLookup({ kernel: null, clock, uid, readTables: counted });

/** Listens, and waits for so many connections of the program that is started for its port. */
async function connections(host: string, count: number, begin: (port: number) => Running): Promise<Socket[]> {
  const server = createServer();
  servers.push(server);
  const taken: Socket[] = [];
  const all = new Promise<void>((resolve) => {
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      taken.push(socket);
      if (taken.length === count) {
        resolve();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen({ host, port: 0 }, resolve));
  clients.push(begin((server.address() as { port: number }).port));
  await all;
  return taken;
}

const connecting = (to: string, options: RunOptions, count = 1) => {
  const program = `for (let i = 0; i < ${count}; i++) require('node:net').connect(Number(process.argv[1]), ${JSON.stringify(to)}).on('error', () => {});`;
  return (port: number) => start(node, ['-e', program, String(port)], { ...options, cwd: '/' });
};
const theirs = { uid: nobody, gid: nobody };

/** Both ways, for a peer whose user is `uid`: as that one, and as a user that it isn't. */
async function judged(socket: Socket | undefined, uid: number): Promise<Record<string, PeerUser>> {
  if (!socket) {
    throw new Error('nobody connected');
  }
  return {
    kernel: await byKernel(uid)(socket),
    table: await byTable(uid)(socket),
    kernelOther: await byKernel(uid + 1)(socket),
    tableOther: await byTable(uid + 1)(socket),
  };
}

describe.runIf(process.platform === 'linux')('whose socket is at the other end', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['127.0.0.1', '::ffff:127.0.0.1'],
    ['::', '127.0.0.1'],
    ['::', '::1'],
  ])('a listener at %s, this user connects to %s', async (host, to) => {
    const own = process.geteuid?.() ?? 0;
    const [socket] = await connections(host, 1, connecting(to, {}));
    // Root's is own to each user.
    const other = own === 0 ? 'own' : 'foreign';
    expect(await judged(socket, own)).toEqual({
      kernel: 'own',
      table: 'own',
      kernelOther: other,
      tableOther: other,
    });
  });

  test.runIf(isRoot).each([
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['127.0.0.1', '::ffff:127.0.0.1'],
  ])('a listener at %s, another user connects to %s', async (host, to) => {
    const [socket] = await connections(host, 1, connecting(to, theirs));
    expect(await judged(socket, nobody)).toEqual({
      kernel: 'own',
      table: 'own',
      kernelOther: 'foreign',
      tableOther: 'foreign',
    });
  });

  // Such a socket is left out of what is looked up for no device.
  test.runIf(isRoot)('one that is bound to the device lo', async () => {
    const program = `use Socket; socket(my $s, PF_INET, SOCK_STREAM, 0); setsockopt($s, SOL_SOCKET, 25, "lo\\0") or die;
      connect($s, sockaddr_in($ARGV[0], inet_aton("127.0.0.1"))) or die; sleep 60;`;
    const [socket] = await connections('127.0.0.1', 1, (port) =>
      start('/usr/bin/perl', ['-e', program, String(port)], { ...theirs, cwd: '/' }),
    );
    expect(await byKernel(0)(socket as Socket)).toBe('foreign');
    expect(reads).toBe(0);
  });

  test('one that was closed belongs to no user', async () => {
    const [socket] = await connections('127.0.0.1', 1, connecting('127.0.0.1', {}));
    await Promise.all(clients.map((client) => client.dispose()));
    expect(await byKernel(0)(socket as Socket)).toBe('foreign');
    expect(await byTable(0)(socket as Socket)).toBe('foreign');
  });

  test.runIf(isRoot)('60 of another user have no table read', async () => {
    const sockets = await connections('127.0.0.1', 60, connecting('127.0.0.1', theirs, 60));
    const look = byKernel(0);
    const users = await Promise.all(sockets.map((socket) => look(socket)));
    expect(users).toEqual(Array(60).fill('foreign'));
    expect(reads).toBe(0);
  });

  test('60 are served by one read where the kernel can’t look up a single socket', async () => {
    const sockets = await connections('127.0.0.1', 60, connecting('127.0.0.1', {}, 60));
    const look = byTable(process.geteuid?.() ?? 0);
    const users = await Promise.all(sockets.map((socket) => look(socket)));
    expect(users).toEqual(Array(60).fill('own'));
    expect(reads).toBe(1);
  });
});
