import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CertificateAuthority, createCa, issueServerCertificate } from '../support/certificates.ts';
import { RequestProxy } from '../support/request-proxy.ts';
import { until } from '../support/stage.ts';
import { whyNotLookedInto } from '../support/system.ts';
import { unless } from '../support/unless.ts';

/** The data plane of the request proxy, with the test in the broker’s place, between real clients and real servers. */
let ca: CertificateAuthority;
let proxy: RequestProxy;
let upstream: http2.Http2SecureServer;
let origin: string;
let connections = 0;
const seen: Seen[] = [];

interface Seen {
  method: string;
  url: string;
  version: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Handler = (request: Seen, response: ServerResponse) => void;
const plainly: Handler = (_, response) => response.end('{}');
let handler: Handler = plainly;

beforeAll(async () => {
  ca = await createCa('upstream');
  const { certificatePem: cert, keyPem: key } = await issueServerCertificate(ca, ['127.0.0.1']);
  upstream = http2.createSecureServer({
    cert,
    key,
    allowHTTP1: true,
    settings: { maxConcurrentStreams: 100 },
  });
  upstream.on('request', (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', httpVersion: version, headers } = request;
      const one = { method, url, version, headers, body: Buffer.concat(parts).toString() };
      seen.push(one);
      handler(one, response as unknown as ServerResponse);
    });
  });
  upstream.on('secureConnection', () => {
    connections += 1;
  });
  upstream.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    seen.push({ method: 'GET', url: request.url ?? '', version: '1.1', headers: request.headers, body: '' });
    if (request.headers.authorization === 'Bearer old') {
      socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\nSet-Cookie: a=b\r\n\r\n`,
    );
    socket.on('data', (data) => socket.write(`echo ${data}`));
    socket.on('end', () => socket.end('bye'));
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  origin = `https://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  proxy = await RequestProxy.start();
});
afterAll(async () => {
  await proxy?.dispose();
  upstream?.close();
});

beforeEach(async () => {
  await proxy.setClusters({ prod: { server: origin, certificateAuthority: ca.certificatePem } });
  await proxy.open();
  proxy.give = () => ({
    steps: [{ step: 'set', name: 'Authorization', value: 'Bearer good', secret: true }],
  });
  handler = plainly;
  seen.length = 0;
  proxy.needs.length = 0;
});

const upgrade = (headers: Record<string, string> = {}) =>
  new Promise<{ response: IncomingMessage; socket: Socket | null }>((resolve, reject) => {
    const request = https.request({
      host: '127.0.0.1',
      port: proxy.port,
      path: '/c/prod/exec?command=sh',
      ca: proxy.ca,
      headers: {
        authorization: `Bearer ${proxy.token('prod')}`,
        connection: 'Upgrade',
        upgrade: 'websocket',
        ...headers,
      },
    });
    request.on('upgrade', (response, socket: Socket) => resolve({ response, socket }));
    request.on('response', (response) => resolve({ response, socket: null }));
    request.on('error', reject);
    request.end();
  });

const only = (): Seen => {
  expect(seen).toHaveLength(1);
  return seen[0] as Seen;
};

describe('a request', () => {
  // KEP-2718/request-change, (rule: own-cluster)
  test('goes to the credential’s cluster, with what its chain sets, and without what a client may not say', async () => {
    await proxy.setClusters({
      prod: { server: `${origin}/k8s/c1/`, certificateAuthority: ca.certificatePem, epoch: '2' },
    });
    proxy.give = () => ({
      steps: [
        { step: 'removePrefix', prefix: 'Impersonate-' },
        { step: 'set', name: 'Authorization', value: 'Bearer good', secret: true },
        { step: 'set', name: 'X-Pair', value: 'of the chain', secret: true },
        { step: 'add', name: 'X-More', value: 'b', secret: true },
        { step: 'remove', name: 'X-Gone' },
      ],
    });
    const answer = await proxy.ask('/c/prod/api/v1/pods?limit=500', {
      token: proxy.token('prod', { e: '2' }),
      headers: {
        'X-Pair': 'of the client',
        'X-More': 'a',
        'X-Gone': 'c',
        'Impersonate-User': 'root',
        'X-Remote-User': 'root',
        'Proxy-Authorization': 'Basic YTpi',
        Connection: 'X-Named',
        'X-Named': 'd',
        'User-Agent': 'kubectl',
      },
    });
    expect(answer).toMatchObject({ status: 200, body: '{}' });
    const { url, version, headers } = only();
    expect([url, version]).toEqual(['/k8s/c1/api/v1/pods?limit=500', '2.0']);
    const { ':method': m, ':path': p, ':scheme': s, ':authority': authority, ...rest } = headers;
    expect(Object.fromEntries(Object.entries(rest))).toEqual({
      authorization: 'Bearer good',
      'x-pair': 'of the chain',
      'x-more': 'a, b',
      'user-agent': 'kubectl',
    });
    expect(authority).toBe(new URL(origin).host);
  });

  test('without the path goes there, too; one with another’s path does not', async () => {
    await proxy.ask('/version');
    expect(only().url).toBe('/version');
    expect(await proxy.ask('/c/other/version')).toMatchObject({
      status: 403,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: expect.stringContaining('another cluster'),
    });
    expect(seen).toHaveLength(1);
  });

  test('with a body is passed on in both directions, with its length', async () => {
    handler = ({ body }, response) => response.end(body.toUpperCase());
    const body = 'x'.repeat(3_000_000);
    const answer = await proxy.ask('/c/prod/api', { method: 'POST', body });
    expect(answer.body).toBe(body.toUpperCase());
    expect(only().headers['content-length']).toBe('3000000');
  });

  test('asks the broker once, and again when what it has is over', async () => {
    await Promise.all(Array.from({ length: 20 }, () => proxy.ask('/c/prod/a')));
    expect(proxy.needs.length).toBeLessThanOrEqual(1);
    await proxy.setClusters({ brief: { server: origin, certificateAuthority: ca.certificatePem } });
    proxy.give = () => ({ steps: [], livesMilliseconds: 0 });
    proxy.needs.length = 0;
    const token = proxy.token('brief');
    await proxy.ask('/c/brief/a', { token });
    await proxy.ask('/c/brief/b', { token });
    expect(proxy.needs).toMatchObject([
      { cluster: 'brief', pid: process.pid, rejected: null },
      { cluster: 'brief', pid: process.pid, rejected: null },
    ]);
  });

  test('that the cluster rejects is sent again with a new credential, and the client never sees it', async () => {
    await proxy.setClusters({
      prod: { server: origin, certificateAuthority: ca.certificatePem, epoch: 'r' },
    });
    const token = proxy.token('prod', { e: 'r' });
    proxy.give = ({ rejected }) => ({
      steps: [
        {
          step: 'set',
          name: 'Authorization',
          value: rejected === null ? 'Bearer old' : 'Bearer good',
          secret: true,
        },
      ],
    });
    handler = ({ headers, body }, response) => {
      response.statusCode = headers.authorization === 'Bearer good' ? 200 : 401;
      response.end(`${response.statusCode} ${body}`);
    };
    expect(await proxy.ask('/c/prod/a', { method: 'PUT', body: 'text', token })).toMatchObject({
      status: 200,
      body: '200 text',
    });
    expect(seen).toHaveLength(2);
    handler = (_, response) => {
      response.statusCode = 401;
      response.end();
    };
    seen.length = 0;
    // A POST that was sent may have been done.
    expect(await proxy.ask('/c/prod/a', { method: 'POST', body: 'text', token })).toMatchObject({
      status: 401,
    });
    expect(seen).toHaveLength(1);
    expect(await proxy.ask('/c/prod/a', { token })).toMatchObject({ status: 401 });
    expect(seen).toHaveLength(3);
  });

  test('that the broker refuses says why, in its words', async () => {
    await proxy.setClusters({
      prod: { server: origin, certificateAuthority: ca.certificatePem, epoch: 'n' },
    });
    proxy.give = () => ({ status: 403, text: 'corp needs a login; run: lanyard login corp' });
    expect(await proxy.ask('/c/prod/a', { token: proxy.token('prod', { e: 'n' }) })).toMatchObject({
      status: 403,
      body: 'lanyard: corp needs a login; run: lanyard login corp\n',
    });
    expect(seen).toEqual([]);
  });

  test('is told of when it has ended: where, how, how much, and never its query', async () => {
    handler = (_, response) => response.end('12345');
    proxy.told.length = 0;
    await proxy.ask('/c/prod/api?token=secret', { method: 'POST', body: '123' });
    const told = await until(
      () => proxy.told.find(({ stream }) => (stream as { path?: string } | undefined)?.path === '/api'),
      'it',
    );
    expect([told]).toMatchObject([
      {
        tell: 'passed',
        status: 200,
        fault: null,
        stream: {
          cluster: 'prod',
          pid: process.pid,
          method: 'POST',
          path: '/api',
          sentMicroseconds: expect.any(Number),
          answeredMicroseconds: expect.any(Number),
          bytesUp: 3,
          bytesDown: 5,
        },
      },
    ]);
    expect(JSON.stringify(proxy.told)).not.toContain('secret');
  });

  test('leaves its connection open where the client keeps it, and that counts', async () => {
    const agent = new https.Agent({ keepAlive: true });
    const areOpen = (count: number) =>
      until(async () => {
        await proxy.streams();
        return proxy.connections === count ? true : undefined;
      }, `${count} connections`);
    https.globalAgent.destroy();
    await areOpen(0);
    await proxy.ask('/c/prod/a', { agent });
    await areOpen(1);
    agent.destroy();
    await areOpen(0);
  });

  test('that the proxy answers itself is told of with the reason', async () => {
    proxy.told.length = 0;
    await proxy.setClusters({
      prod: { server: origin, certificateAuthority: ca.certificatePem, epoch: 'f' },
    });
    proxy.give = () => ({ status: 504, text: 'no answer in time' });
    await proxy.ask('/c/prod/faulty', { token: proxy.token('prod', { e: 'f' }) });
    const told = await until(() => proxy.told.find(({ tell }) => tell === 'passed'), 'it');
    expect(told).toMatchObject({
      status: 504,
      fault: 'no answer in time',
      stream: { path: '/faulty', sentMicroseconds: null, answeredMicroseconds: expect.any(Number) },
    });
  });
});

// KEP-2718/secure-listener, (rule: way-in)
describe('the way in', () => {
  test.each<[string, () => string]>([
    [
      'one whose cluster is another, with the MAC of the first',
      () => {
        const [, mac] = proxy.token('prod').split('.');
        return `${proxy.token('other').split('.')[0]}.${mac}`;
      },
    ],
    ['one of an approval that was taken back', () => proxy.token('prod', { e: '0' })],
    ['one of a process that has ended', () => proxy.token('prod', { p: 2 ** 22 + 1 })],
    ['one of a process whose number another has now', () => proxy.token('prod', { s: '1' })],
    ['one that has expired, though its process lives', () => proxy.token('prod', { x: 1 })],
    ['one of an earlier boot', () => proxy.token('prod', { b: 'another' })],
    ['one that names no boot, as an earlier version made it', () => proxy.token('prod', { b: undefined })],
  ])('is not %s', async (_, token) => {
    expect(await proxy.ask('/c/prod/a', { token: token() })).toMatchObject({ status: 401 });
    expect(seen).toEqual([]);
  });

  test('is closed by a lock that comes while a credential is fetched, and nothing of it is kept', async () => {
    // A new one has no chain yet.
    await proxy.setClusters({
      prod: { server: origin, certificateAuthority: ca.certificatePem, epoch: 'l' },
    });
    const token = proxy.token('prod', { e: 'l' });
    const given: string[] = [];
    proxy.give = () => {
      given.push('late');
      void proxy.order({ do: 'close', text: 'Lanyard is locked', graceMilliseconds: 60_000 });
      return { steps: [{ step: 'set', name: 'Authorization', value: 'Bearer late', secret: true }] };
    };
    expect(await proxy.ask('/c/prod/a', { token })).toMatchObject({
      status: 403,
      body: 'lanyard: Lanyard is locked\n',
    });
    expect(given).toEqual(['late']);
    expect(seen).toEqual([]);
    proxy.give = () => ({
      steps: [{ step: 'set', name: 'Authorization', value: 'Bearer good', secret: true }],
    });
    await proxy.open();
    await proxy.ask('/c/prod/a', { token });
    expect(only().headers).toMatchObject({ authorization: 'Bearer good' });
  });

  test('is closed while Lanyard is locked, in words that kubectl shows; what is open ends', async () => {
    handler = (_, response) => void response.write('begun');
    const watching = proxy.ask('/c/prod/watch').then(
      () => 'ended well',
      () => 'ended',
    );
    await until(() => (seen.length > 0 ? true : null), 'the watch');
    await proxy.order({ do: 'close', text: 'Lanyard is locked; run: lanyard unlock', graceMilliseconds: 0 });
    expect(await watching).toBe('ended');
    expect(await proxy.ask('/c/prod/a')).toMatchObject({
      status: 403,
      body: 'lanyard: Lanyard is locked; run: lanyard unlock\n',
    });
    await proxy.open();
    handler = plainly;
    expect(await proxy.ask('/c/prod/a')).toMatchObject({ status: 200 });
  });
});

// (rule: guarded-loopback)
describe('what is refused', () => {
  const head = (line: string, ...more: string[]) =>
    [
      line,
      `Host: 127.0.0.1:${proxy.port}`,
      `Authorization: Bearer ${proxy.token('prod')}`,
      'Connection: close',
      ...more,
      '',
      '',
    ].join('\r\n');
  const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);

  test('the usual passes, to know that the others don’t for their own reasons', async () => {
    expect(statusOf(await proxy.raw(head('GET /c/prod/a HTTP/1.1')))).toBe(200);
    expect(statusOf(await proxy.raw(`${head('POST /c/prod/a HTTP/1.1', 'Content-Length: 3')}abc`))).toBe(200);
    expect(seen).toHaveLength(2);
  });

  test.each<[string, () => string, number]>([
    ['a URL as target', () => head(`GET https://127.0.0.1:${proxy.port}/a HTTP/1.1`), 400],
    ['CONNECT', () => head('CONNECT evil.example.com:443 HTTP/1.1'), 405],
    ['TRACE', () => head('TRACE /a HTTP/1.1'), 405],
    ['two credentials', () => head('GET /a HTTP/1.1', 'Authorization: Bearer x'), 400],
    ['a page of another origin', () => head('GET /a HTTP/1.1', 'Origin: https://evil.example.com'), 403],
    ['a page', () => head('GET /a HTTP/1.1', 'Sec-Fetch-Site: none'), 403],
  ])('%s', async (_, bytes, status) => {
    expect(statusOf(await proxy.raw(bytes()))).toBe(status);
    expect(seen).toEqual([]);
  });

  test('headers of HTTP/2 that are too large, with the reason as a text', async () => {
    const client = http2.connect(`https://127.0.0.1:${proxy.port}`, {
      ca: proxy.ca,
      maxSendHeaderBlockLength: 1024 * 1024,
    });
    const fields = Array.from({ length: 140 }, (_, at) => [`x-${at}`, 'a'.repeat(1_000)]);
    const request = client.request(
      { ':path': '/c/prod/a', authorization: `Bearer ${proxy.token('prod')}`, ...Object.fromEntries(fields) },
      { endStream: true },
    );
    const [headers] = await once(request, 'response');
    let text = '';
    for await (const part of request) {
      text += String(part);
    }
    expect([headers[':status'], text]).toEqual([431, expect.stringMatching(/^lanyard: .*128 KiB/)]);
    await new Promise<void>((resolve) => client.close(resolve));
    expect(seen).toEqual([]);
  });

  test('another host: only the listener’s own name counts', async () => {
    const other = head('GET /a HTTP/1.1').replace(`127.0.0.1:${proxy.port}`, `localhost:${proxy.port}`);
    expect(statusOf(await proxy.raw(other))).toBe(403);
    const none = head('GET /a HTTP/1.1').replace(/Host: [^\r]*\r\n/, '');
    expect(statusOf(await proxy.raw(none))).toBe(403);
  });
});

// (rule: own-cluster)
describe('what a front could take for something else', () => {
  const cluster = () => ({ server: origin, certificateAuthority: ca.certificatePem });

  test('a front’s session stays here, unless the cluster passes cookies', async () => {
    handler = (_, response) => {
      response.setHeader('Set-Cookie', ['CF_Authorization=canary; HttpOnly', 'b=c']);
      response.end('{}');
    };
    const headers = { Cookie: 'CF_Authorization=old' };
    const kept = await proxy.ask('/c/prod/a', { headers });
    expect(kept.headers).not.toHaveProperty('set-cookie');
    expect(only().headers).not.toHaveProperty('cookie');
    seen.length = 0;
    await proxy.setClusters({ prod: { ...cluster(), passesCookies: true } });
    const passed = await proxy.ask('/c/prod/a', { headers });
    expect(passed.headers['set-cookie']).toEqual(['CF_Authorization=canary; HttpOnly', 'b=c']);
    expect(only().headers).toMatchObject({ cookie: 'CF_Authorization=old' });
  });

  test('so does one that comes with an upgrade', async () => {
    const { response, socket } = await upgrade({ cookie: 'a=b' });
    expect(response.statusCode).toBe(101);
    expect(response.headers).not.toHaveProperty('set-cookie');
    expect(only().headers).not.toHaveProperty('cookie');
    const ended = new Promise((resolve) => socket?.on('close', resolve));
    socket?.resume().end();
    await ended;
  });

  test('headers that say who asks, and those of the chain, with underscores', async () => {
    await proxy.setClusters({ prod: { ...cluster(), epoch: '3' } });
    proxy.give = () => ({
      steps: [
        { step: 'set', name: 'X-Pair', value: 'of the chain', secret: true },
        { step: 'remove', name: 'X-Gone' },
      ],
    });
    await proxy.ask('/c/prod/a', {
      token: proxy.token('prod', { e: '3' }),
      headers: {
        Impersonate_User: 'root',
        X_Remote_User: 'root',
        'X_Remote-Group': 'system:masters',
        X_Pair: 'of the client',
        X_Gone: 'a',
        X_Kept: 'b',
      },
    });
    const { headers } = only();
    expect(headers).toMatchObject({ 'x-pair': 'of the chain', x_kept: 'b' });
    expect(Object.keys(headers).filter((name) => /remote|impersonate|gone|x_pair/.test(name))).toEqual([]);
  });
});

test('the way in’s scheme is in any case', async () => {
  for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
    const authorization = `${scheme} ${proxy.token('prod')}`;
    expect(await proxy.ask('/c/prod/a', { headers: { authorization } })).toMatchObject({ status: 200 });
  }
});

// KEP-2718/streaming
describe('an upgrade', () => {
  test('goes over HTTP/1.1 and keeps half-closes', async () => {
    const { response, socket } = await upgrade({ 'sec-websocket-protocol': 'v5.channel.k8s.io' });
    expect(response.statusCode).toBe(101);
    expect(response.headers).toMatchObject({ connection: 'Upgrade', upgrade: 'websocket' });
    expect(only()).toMatchObject({
      url: '/exec?command=sh',
      headers: { authorization: 'Bearer good', 'sec-websocket-protocol': 'v5.channel.k8s.io' },
    });
    let text = '';
    socket?.on('data', (data) => {
      text += String(data);
    });
    socket?.write('hello');
    await until(() => (text === 'echo hello' ? true : null), 'the echo');
    socket?.end();
    await until(() => (text === 'echo hellobye' ? true : null), 'what comes after the half-close');
  });

  test('that the user ends is over', async () => {
    const { socket } = await upgrade();
    const ended = new Promise((resolve) => socket?.on('close', resolve));
    socket?.resume();
    const streams = await proxy.streams();
    expect(streams).toMatchObject([{ cluster: 'prod', path: '/exec', pid: process.pid }]);
    await proxy.order({ do: 'end', stream: streams[0]?.['id'] });
    await ended;
  });
});

test('200 watches and a GET: another connection is opened before the server’s limit', async () => {
  const held: ServerResponse[] = [];
  handler = ({ url }, response) => {
    if (url.startsWith('/watch')) {
      response.write('{}');
      held.push(response);
    } else {
      response.end('got');
    }
  };
  connections = 0;
  const client = http2.connect(`https://127.0.0.1:${proxy.port}`, { ca: proxy.ca });
  const watch = (index: number) =>
    new Promise<void>((resolve, reject) => {
      const request = client.request({
        ':path': `/c/prod/watch/${index}`,
        authorization: `Bearer ${proxy.token('prod')}`,
      });
      request.once('data', () => resolve());
      request.on('error', reject);
    });
  await Promise.all(Array.from({ length: 200 }, (_, index) => watch(index)));
  expect(await proxy.ask('/c/prod/get')).toMatchObject({ status: 200, body: 'got' });
  expect(held).toHaveLength(200);
  expect(connections).toBeLessThan(10);
  for (const response of held) {
    response.end();
  }
  await new Promise<void>((resolve) => client.close(resolve));
});

// (rule: secrets-by-pipe)
test(
  'what it has to keep comes over the pipe alone, and it ends with the pipe',
  unless(whyNotLookedInto),
  async () => {
    const one = await RequestProxy.start();
    const of = (file: string) => readFileSync(`/proc/${one.pid}/${file}`, 'utf8');
    expect(of('cmdline').split('\0').filter(Boolean)).toEqual([expect.stringMatching(/\/lanyard-proxy$/)]);
    expect(of('environ')).toBe('');
    await one.dispose();
    expect(() => of('stat')).toThrow();
  },
);

// Of a process whose memory other programs of its user can’t read, the files in /proc are root’s (proc(5)).
test.each([
  ['serves', []],
  ['issues', ['issue']],
  ['speaks TLS', ['tls']],
])('no other program of the user reads its memory as it %s', async (_, args) => {
  const folder = mkdtempSync(join(tmpdir(), 'ly-proxy-'));
  const copy = join(folder, 'lanyard-proxy');
  copyFileSync(join(import.meta.dirname, '..', '..', 'dist', 'bin', 'lanyard-proxy'), copy);
  chmodSync(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  const child = spawn(copy, args, {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
    ...(isRoot && { uid: 65_534 }),
  });
  await once(child, 'spawn');
  const of = (file: string) => `/proc/${child.pid}/${file}`;
  await until(() => (statSync(of('mem')).uid === 0 ? true : null), 'the hardening');
  expect(readFileSync(of('limits'), 'utf8')).toMatch(/^Max core file size +0 +0 /m);
  const ended = once(child, 'exit');
  child.stdin?.end();
  await ended;
  rmSync(folder, { recursive: true });
});
