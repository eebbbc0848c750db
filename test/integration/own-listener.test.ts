import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CertificateAuthority, createCa, issueServerCertificate } from '../support/certificates.ts';
import { holdLock, type LockHolder } from '../support/lock-holder.ts';
import { askOwn, closeOf, connectTo, type OwnForm } from '../support/own-listener.ts';
import { RequestProxy, startOf } from '../support/request-proxy.ts';
import { until } from '../support/stage.ts';

/** A listener of one client’s own, with the test in the broker’s place (KEP-2718, docs/adr/0032). */
let ca: CertificateAuthority;
let proxy: RequestProxy;
let host: string;
let folder: string;
const closing: (() => unknown)[] = [];
const seen: { method: string; url: string; host: string; authorization: string; body: string }[] = [];
const locks: LockHolder[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lanyard-own-'));
  ca = await createCa('upstream');
  const { certificatePem: cert, keyPem: key } = await issueServerCertificate(ca, ['127.0.0.1']);
  const upstream = https.createServer({ cert, key }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      note(request, Buffer.concat(parts).toString());
      if (request.url?.endsWith('/redirect')) {
        response.writeHead(307, { location: request.url.replace('redirect', 'there') });
      }
      response.end('{}');
    });
  });
  upstream.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    note(request);
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.on('data', (data) => socket.write(`echo ${data}`));
    socket.on('end', () => socket.end('bye'));
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  closing.push(
    () => upstream.closeAllConnections(),
    () => upstream.close(),
  );
  host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  proxy = await RequestProxy.start();
});
afterAll(async () => {
  await proxy?.dispose();
  for (const close of closing) {
    close();
  }
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  const prod = { server: `https://${host}`, certificateAuthority: ca.certificatePem };
  await proxy.setClusters({ prod, other: prod, pathed: { ...prod, server: `https://${host}/k8s/c1` } });
  await proxy.open();
  proxy.give = () => ({
    steps: [{ step: 'set', name: 'Authorization', value: 'Bearer good', secret: true }],
  });
  seen.length = 0;
});
afterEach(async () => {
  await Promise.all(locks.splice(0).map((lock) => lock.release()));
});

function note({ method = '', url = '', headers }: IncomingMessage, body = ''): void {
  const { host: of = '', authorization = '' } = headers;
  seen.push({ method, url, host: of, authorization, body });
}

let last = 0;
function place(suffix: string): string {
  last += 1;
  return join(folder, `${last}.${suffix}`);
}

async function hold(path = place('lock'), shared = false): Promise<string> {
  locks.push(await holdLock(path, { shared }));
  return path;
}

/** The reason for which the listener ended. */
const endOf = ({ id }: { id: number }) =>
  until(
    () => proxy.told.find((told) => told['tell'] === 'listenerEnded' && told['id'] === id)?.['why'],
    'its end',
  );

// KEP-2718/proxy-config
describe.each(['a Unix socket', 'a loopback port'] as const)('on %s, a request', (kind) => {
  const open = (wish: Parameters<RequestProxy['ownForm']>[0] = {}) =>
    proxy.ownForm({ socket: kind === 'a Unix socket' ? place('sock') : null, ...wish });

  test('goes to the cluster as it would without the proxy, with the cluster’s credential', async () => {
    const form = await open();
    const sent = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } };
    expect(await askOwn(form, host, '/api/v1/pods?dryRun=All', sent)).toMatchObject({ status: 200 });
    expect(await askOwn(form, host, `https://${host}/api/v1/nodes`)).toMatchObject({ status: 200 });
    expect(seen).toEqual([
      { method: 'POST', url: '/api/v1/pods?dryRun=All', host, authorization: 'Bearer good', body: '{"a":1}' },
      { method: 'GET', url: '/api/v1/nodes', host, authorization: 'Bearer good', body: '' },
    ]);
  });

  test('says the whole path where the cluster’s server has one, and a redirect stays within it', async () => {
    const form = await open({ cluster: 'pathed' });
    const answer = await askOwn(form, host, '/k8s/c1/redirect');
    expect(answer).toMatchObject({ status: 307, headers: { location: `https://${host}/k8s/c1/there` } });
    expect(seen).toMatchObject([{ url: '/k8s/c1/redirect' }]);
    expect(await askOwn(form, host, '/api')).toMatchObject({ status: 403 });
    expect(seen).toHaveLength(1);
  });

  test('comes over HTTP/2, too', async () => {
    const form = await open();
    const session = http2.connect(`https://${host}`, {
      createConnection: () => connectTo(form, { protocols: ['h2'] }),
    });
    const requests = ['/a', '/b'].map(async (path) => {
      const request = session.request({ ':path': path, authorization: `Bearer ${form.token}` });
      const [headers] = await once(request, 'response');
      request.resume();
      await once(request, 'end');
      return headers[':status'];
    });
    expect(await Promise.all(requests)).toEqual([200, 200]);
    await new Promise<void>((resolve) => session.close(resolve));
    expect(seen.map(({ url }) => url).sort()).toEqual(['/a', '/b']);
  });

  // KEP-2718/lock, KEP-2718/streaming
  test('that changes the protocol passes, and ends with the listener', async () => {
    const lockFile = await hold();
    const form = await open({ lockFile });
    const socket = await upgraded(form);
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
    });
    socket.write('hello');
    await until(() => (text === 'echo hello' ? true : null), 'the echo');
    const closed = closeOf(socket);
    await locks[0]?.release();
    await closed;
    expect(await endOf(form)).toBe('lock');
  });
});

function upgraded(form: OwnForm): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const request = https.request({
      path: '/exec',
      headers: {
        host,
        authorization: `Bearer ${form.token}`,
        connection: 'Upgrade',
        upgrade: 'websocket',
      },
      createConnection: () => connectTo(form),
    });
    request.on('upgrade', (_, socket: Socket) => resolve(socket.on('error', () => undefined)));
    request.on('response', ({ statusCode }) => reject(new Error(String(statusCode))));
    request.on('error', reject);
    request.end();
  });
}

// (rule: client-listener)
describe('a listener serves', () => {
  test.each<[string, () => string, number, RegExp]>([
    ['no token', () => 'x', 403, /takes Lanyard’s own credential alone/],
    [
      'another process’s way in',
      () => proxy.token('prod', { p: process.ppid, s: startOf(process.ppid) }),
      403,
      /another process/,
    ],
    ['another cluster’s way in', () => proxy.token('other'), 403, /another cluster/],
    ['a way in of an earlier approval', () => proxy.token('prod', { e: '0' }), 401, /taken back/],
  ])('not with %s', async (_, token, status, words) => {
    const form = await proxy.ownForm({ socket: place('sock') });
    const answer = await askOwn(form, host, '/api', { token: token() });
    expect(answer).toMatchObject({ status, body: expect.stringMatching(words) });
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    expect(seen).toEqual([]);
  });

  test.each<[string, string, string, number]>([
    ['another host', 'evil.example.com', '/api', 403],
    ['another port', '127.0.0.1:1', '/api', 403],
    ['another host in the URL', '', 'https://evil.example.com/api', 400],
    ['a URL without TLS', '', 'http://HOST/api', 400],
    ['another cluster at the proxy’s own address', 'PROXY', '/c/other/api', 403],
  ])('not %s', async (_, stated, path, status) => {
    const form = await proxy.ownForm({ socket: place('sock') });
    const own = stated.replace('PROXY', `127.0.0.1:${proxy.port}`) || host;
    expect(await askOwn(form, own, path.replace('HOST', host))).toMatchObject({ status });
    expect(seen).toEqual([]);
  });

  test('no CONNECT, in words that say what to do', async () => {
    const form = await proxy.ownForm({ socket: place('sock') });
    const socket = connectTo(form);
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
    });
    socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    await closeOf(socket);
    expect(text).toMatch(/^HTTP\/1\.1 405 .*no CONNECT: it changes them; send them to it over TLS/s);
  });

  test('nothing while Lanyard is locked, and says so; it serves again', async () => {
    const form = await proxy.ownForm({ socket: place('sock') });
    await proxy.order({ do: 'close', text: 'locked by you; lanyard unlock', graceMilliseconds: 0 });
    expect(await askOwn(form, host, '/api')).toMatchObject({
      status: 403,
      body: expect.stringContaining('locked by you'),
    });
    await proxy.open();
    expect(await askOwn(form, host, '/api')).toMatchObject({ status: 200 });
  });

  test.skipIf(process.getuid?.() !== 0)('no other user, who gets no byte', async () => {
    const socket = place('sock');
    const form = await proxy.ownForm({ socket });
    // As if all could connect.
    chmodSync(folder, 0o755);
    chmodSync(socket, 0o666);
    const script = `const s = require('tls').connect({ path: process.argv[1], rejectUnauthorized: false });
      s.on('secureConnect', () => s.destroy(new Error('heard')));
      s.on('error', (e) => console.log(e.message));
      s.on('close', () => console.log('closed'));`;
    const other = spawn(process.execPath, ['-e', script, socket], { uid: 65534, gid: 65534, stdio: 'pipe' });
    let text = '';
    other.stdout.on('data', (data) => {
      text += String(data);
    });
    await once(other, 'exit');
    expect(text).toMatch(/closed/);
    expect(text).not.toMatch(/heard|EACCES|ENOENT/);
    expect(await askOwn(form, host, '/api')).toMatchObject({ status: 200 });
  });

  // KEP-2718/secure-listener
  test('who has the key that was made for it alone, where it has one', async () => {
    const form = await proxy.ownForm({ socket: place('sock'), clientCertificate: true });
    const other = await proxy.ownForm({ socket: place('sock'), clientCertificate: true });
    expect(await askOwn(form, host, '/api')).toMatchObject({ status: 200 });
    const { clientCertificateData: cert = '', clientKeyData: key = '' } = other;
    const own = await createCa('one’s own');
    for (const certificate of [null, { cert, key }, { cert: own.certificatePem, key: own.keyPem }]) {
      await expect(askOwn(form, host, '/api', { certificate })).rejects.toThrow(/alert/);
    }
    expect(seen).toHaveLength(1);
  });
});

describe('a listener ends', () => {
  const isGone = (socket: string) => until(() => (existsSync(socket) ? null : true), 'the end of the socket');

  // KEP-2718/lock
  test('once no client holds the lock any more', async () => {
    const path = place('lock');
    await hold(path, true);
    await hold(path, true);
    const socket = place('sock');
    const form = await proxy.ownForm({ socket, lockFile: path });
    await locks[0]?.release();
    expect(await askOwn(form, host, '/api')).toMatchObject({ status: 200 });
    await locks[1]?.release();
    expect(await endOf(form)).toBe('lock');
    await isGone(socket);
  });

  test('with its client’s process, whoever has the lock', async () => {
    const lockFile = await hold();
    const client = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
    const socket = place('sock');
    const form = await proxy.ownForm({ socket, lockFile, pid: client.pid ?? 0 });
    client.kill('SIGKILL');
    expect(await endOf(form)).toBe('process');
    await isGone(socket);
  });

  // KEP-2718/idle
  test('when it is idle, and the others don’t', async () => {
    const [idle, other] = [place('sock'), place('sock')];
    const form = await proxy.ownForm({ socket: idle, idleMilliseconds: 1 });
    const stays = await proxy.ownForm({ socket: other });
    expect(await endOf(form)).toBe('idle');
    await isGone(idle);
    expect(await askOwn(stays, host, '/api')).toMatchObject({ status: 200 });
    expect(await proxy.ask('/api')).toMatchObject({ status: 200 });
  });

  test('when it isn’t wanted any more, with its connections', async () => {
    const socket = place('sock');
    const form = await proxy.ownForm({ socket });
    const connection = connectTo(form);
    await once(connection, 'secureConnect');
    const closed = closeOf(connection);
    await proxy.order({ do: 'endListener', id: form.id });
    await closed;
    expect(await endOf(form)).toBe('ordered');
    expect(existsSync(socket)).toBe(false);
  });

  test('with the data plane, and leaves no file', async () => {
    const own = await RequestProxy.start();
    const socket = place('sock');
    await own.ownForm({ socket });
    expect(existsSync(socket)).toBe(true);
    await own.dispose();
    expect(existsSync(socket)).toBe(false);
  });
});

// KEP-2718/lock, (rule: client-listener)
test.each<[string, string, () => string | Promise<string>]>([
  ['is missing', 'lockMissing', () => place('lock')],
  ['is in a missing folder', 'lockMissing', () => join(place('none'), 'lock')],
  ['is a folder', 'lockKind', () => made(place('lock'), (path) => mkdirSync(path))],
  ['is a FIFO', 'lockKind', () => made(place('lock'), (path) => execFileSync('mkfifo', [path]))],
  ['is a link', 'lockKind', async () => linkTo(await hold())],
  ['is held by no one', 'lockFree', () => made(place('lock'), (path) => writeFileSync(path, ''))],
])('a lock file that %s is refused', async (_, code, path) => {
  const lockFile = await path();
  const refused = await proxy.openListener({ lockFile, socket: place('sock') });
  expect(refused).toMatchObject({ tell: 'listenerRefused', code, text: expect.stringContaining(lockFile) });
});

test.skipIf(process.getuid?.() !== 0)('another user’s lock file is refused, held or not', async () => {
  const path = await hold();
  chownSync(path, 65534, 65534);
  expect(await proxy.openListener({ lockFile: path, socket: place('sock') })).toMatchObject({
    code: 'lockOwner',
    text: `the lock file ${path} belongs to user 65534, not to you`,
  });
});

// A full disk: no room for a byte, and none for a further file. It takes root to make one.
test.skipIf(!canMount())('on a full disk a lock file counts, and a socket is refused in words', async () => {
  const disk = place('disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k,nr_inodes=3', 'tmpfs', disk]);
  try {
    const lockFile = await hold(join(disk, 'lock'));
    writeFileSync(join(disk, 'rest'), Buffer.alloc(4_096));
    const refused = await proxy.openListener({ lockFile, socket: join(disk, 'a.sock') });
    expect(refused).toMatchObject({ code: 'fault', text: expect.stringContaining('No space left') });
    const form = await proxy.ownForm({ lockFile, socket: place('sock') });
    expect(await askOwn(form, host, '/api')).toMatchObject({ status: 200 });
    await locks[0]?.release();
    expect(await endOf(form)).toBe('lock');
  } finally {
    execFileSync('umount', ['--lazy', disk]);
  }
});

/** As root outside of most containers. */
function canMount(): boolean {
  const probe = join(tmpdir(), `lanyard-mount-${process.pid}`);
  mkdirSync(probe);
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', probe], { stdio: 'ignore' });
    execFileSync('umount', [probe]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true });
  }
}

test('a socket that can’t be made is a refusal, and nothing is left of it', async () => {
  const lockFile = await hold();
  const refused = await proxy.openListener({ lockFile, socket: join(place('none'), 'a.sock') });
  expect(refused).toMatchObject({ tell: 'listenerRefused', code: 'fault' });
  expect(await askOwn(await proxy.ownForm({ lockFile }), host, '/api')).toMatchObject({ status: 200 });
});

function made(path: string, make: (path: string) => unknown): string {
  make(path);
  return path;
}

function linkTo(path: string): string {
  return made(place('link'), (link) => symlinkSync(path, link));
}
