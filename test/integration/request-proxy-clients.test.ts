import { once } from 'node:events';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { residentBytes } from '../support/agent.ts';
import { type AttackingClient, connectHttp2, connectTo, flood } from '../support/attacking-client.ts';
import { type CertificateAuthority, createCa, issueServerCertificate } from '../support/certificates.ts';
import { type Frame, flags, frame, frameTypes, headerBlock } from '../support/http2-frames.ts';
import { isLong } from '../support/long.ts';
import { openDescriptors } from '../support/open-descriptors.ts';
import { start } from '../support/processes.ts';
import { RequestProxy, startOf } from '../support/request-proxy.ts';
import { until } from '../support/stage.ts';
import { whyNotLookedInto } from '../support/system.ts';
import { unless } from '../support/unless.ts';

/** The data plane against its clients: a program without a way in, one that floods with one, and a web page. */
let ca: CertificateAuthority;
let proxy: RequestProxy;
let upstream: http2.Http2SecureServer;
let clusters: Parameters<RequestProxy['setClusters']>[0];
const seen: { method: string; url: string }[] = [];
/** Of bodies that the upstream doesn’t read. */
const unread: http2.Http2ServerRequest[] = [];
let sent = 0;
const mebibyte = 2 ** 20;
const connects = isLong ? 10_000 : 100;

beforeAll(async () => {
  ca = await createCa('upstream');
  const { certificatePem: cert, keyPem: key } = await issueServerCertificate(ca, ['127.0.0.1']);
  upstream = http2.createSecureServer({ cert, key, settings: { maxConcurrentStreams: 100 } });
  upstream.on('request', (request, response) => {
    const { method, url } = request;
    seen.push({ method, url });
    if (url === '/unread') {
      unread.push(request);
      return;
    }
    request.resume();
    if (url === '/endless') {
      sendEndlessly(response);
    } else if (url === '/watch') {
      response.write('begun');
    } else {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('alt-svc', 'h3="evil.example.com:443"');
      response.end('{}');
    }
  });
  upstream.on('sessionError', () => undefined);
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  proxy = await RequestProxy.start();
});
afterAll(async () => {
  await proxy?.dispose();
  upstream?.close();
});
beforeEach(async () => {
  const server = `https://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  clusters = { prod: { server, certificateAuthority: ca.certificatePem } };
  await proxy.setClusters(clusters);
  await proxy.open();
  seen.length = 0;
  unread.length = 0;
  sent = 0;
});

function sendEndlessly(response: http2.Http2ServerResponse): void {
  const part = Buffer.alloc(64 * 1024);
  const more = () => {
    do {
      sent += part.length;
    } while (!response.writableEnded && response.write(part));
  };
  response.on('drain', more);
  response.on('error', () => undefined);
  more();
}

const passes = async () => expect(await proxy.ask('/c/prod/still')).toMatchObject({ status: 200 });
const head = (...more: string[]) =>
  [`GET /c/prod/a HTTP/1.1`, `Host: 127.0.0.1:${proxy.port}`, ...more, '', ''].join('\r\n');
const entitled = () => `Authorization: Bearer ${proxy.token('prod')}`;
const goAway = (frames: readonly Frame[]) => frames.find(({ type }) => type === frameTypes.goAway);
const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);

/** What the proxy’s memory grows by meanwhile, at its end, in MiB. */
async function growth(run: () => Promise<unknown>): Promise<number> {
  const before = residentBytes(proxy.pid);
  await run();
  return (residentBytes(proxy.pid) - before) / mebibyte;
}

describe('a program without a way in', () => {
  test('that sends its head slowly is cut off, also behind another one, while a connection that idles between two requests is not', async () => {
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    await proxy.ask('/c/prod/a', { agent });
    const slow = await connectTo(proxy, 'http/1.1');
    slow.socket.write(`${head(entitled())}GET / HTTP/1.1\r\n`);
    const dripping = setInterval(() => slow.socket.write('X: a\r\n'), 500);
    try {
      expect((await slow.closed).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    } finally {
      clearInterval(dripping);
    }
    const [socket] = Object.values(agent.freeSockets).flat();
    const local = socket?.localPort;
    expect(await proxy.ask('/c/prod/a', { agent })).toMatchObject({ status: 200 });
    expect(Object.values(agent.freeSockets).flat()[0]?.localPort).toBe(local);
    agent.destroy();
  });

  test('that opens connections without end leaves others their places', async () => {
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    await proxy.ask('/c/prod/a', { agent });
    const kept = Object.values(agent.freeSockets).flat()[0]?.localPort;
    const clients: AttackingClient[] = [];
    for (let round = 0; round < 10; round++) {
      const more = Array.from({ length: 40 }, (_, at) => connectTo(proxy, at % 2 === 0 ? 'h2' : 'http/1.1'));
      clients.push(...(await Promise.all(more)));
    }
    await until(
      () => (clients.filter(({ socket }) => !socket.destroyed).length <= 256 ? true : null),
      'the oldest to be closed',
    );
    await passes();
    expect(await proxy.ask('/c/prod/b', { agent })).toMatchObject({ status: 200 });
    expect(Object.values(agent.freeSockets).flat()[0]?.localPort).toBe(kept);
    agent.destroy();
    // One that asks for what it doesn’t get is no better off.
    clients.at(-1)?.socket.write(head('Authorization: Bearer mine'));
    await Promise.all(clients.map(({ closed }) => closed));
  });

  test('can’t use TLS for more: no renegotiation, no old version, no other name', async () => {
    const old = await connectTo(proxy, 'http/1.1', { maxVersion: 'TLSv1.2' });
    expect(old.socket.getProtocol()).toBe('TLSv1.2');
    const renegotiated = await new Promise((resolve) => {
      old.socket.renegotiate({}, (error) => resolve(error));
      void old.closed.then(() => resolve('closed'));
    });
    expect(renegotiated).not.toBe(null);
    old.socket.destroy();
    const none = await connectTo(proxy, 'http/1.1', {
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      ciphers: 'ALL@SECLEVEL=0',
    });
    expect(none.socket.getProtocol()).not.toBe('TLSv1.1');
    none.socket.destroy();
    const rebound = await connectTo(proxy, 'http/1.1', {
      servername: 'evil.example.com',
      checkServerIdentity: () => undefined,
    });
    rebound.socket.write(
      ['GET / HTTP/1.1', 'Host: evil.example.com', entitled(), 'Connection: close', '', ''].join('\r\n'),
    );
    expect(statusOf(await rebound.closed)).toBe(403);
    expect(seen).toMatchObject([]);
  });
});

describe('a web page', () => {
  const page = {
    origin: 'https://evil.example.com',
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'cors',
  };

  test.each([
    ['asks whether it may', 'OPTIONS', { 'access-control-request-method': 'GET' }],
    ['asks', 'GET', {}],
    ['sends a form', 'POST', { 'content-type': 'text/plain' }],
    [
      'opens a WebSocket',
      'GET',
      { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
    ],
  ])('that %s is told nothing', async (_, method, more) => {
    for (const token of ['', proxy.token('prod')]) {
      const answer = await proxy.ask('/c/prod/a', { method, token, headers: { ...page, ...more } });
      expect(answer.status).toBe(403);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
    expect(seen).toEqual([]);
  });

  test('gets no leave from a cluster, either', async () => {
    const { status, headers } = await proxy.ask('/c/prod/a', {
      headers: { origin: `https://127.0.0.1:${proxy.port}` },
    });
    expect(status).toBe(200);
    expect(Object.keys(headers).sort()).toEqual(['date', 'transfer-encoding']);
  });
});

describe('over HTTP/2', () => {
  const fields = (more: [string, string][]) => ({ fields: more });
  test.each<[string, Parameters<Awaited<ReturnType<typeof connectHttp2>>['head']>[1], number | null]>([
    ['CONNECT', { method: 'CONNECT' }, null],
    ['TRACE', { method: 'TRACE' }, 405],
    ['another authority', { authority: 'localhost:1' }, 403],
    ['a host beside the authority', fields([['host', 'evil.example.com']]), 400],
    ['two credentials', fields([['authorization', 'Bearer x']]), 400],
    [
      'two lengths',
      fields([
        ['content-length', '1'],
        ['content-length', '2'],
      ]),
      null,
    ],
    ['a header of one connection', fields([['connection', 'close']]), null],
    ['an encoding', fields([['transfer-encoding', 'chunked']]), null],
    ['a line end in a value', fields([['x-a', 'a\r\nx-b: b']]), null],
    ['a name in upper case', fields([['X-A', 'a']]), null],
    ['a space in the path', { path: '/c/prod/a b' }, null],
    ['a line end in the path', { path: '/c/prod/a\r\nx: y' }, null],
    ['a way out of the server’s path', { path: '/c/prod/../a' }, 400],
    ['a page', fields([['sec-fetch-site', 'none']]), 403],
    [
      'headers of more than 128 KiB',
      fields(Array.from({ length: 9 }, (_, at) => [`x-${at}`, 'a'.repeat(15_000)])),
      431,
    ],
  ])('%s is refused', async (_, options, status) => {
    const client = await connectHttp2(proxy);
    const block = client.head(1, options).subarray(9);
    const parts = [];
    for (let at = 0; at < block.length; at += 16_000) {
      const isLast = at + 16_000 >= block.length;
      const type = at === 0 ? frameTypes.headers : frameTypes.continuation;
      const flag = (isLast ? flags.endHeaders : 0) | (at === 0 ? flags.endStream : 0);
      parts.push(frame(type, flag, 1, block.subarray(at, at + 16_000)));
    }
    client.socket.write(Buffer.concat(parts));
    const answer = await until(
      () =>
        client.frames.find(
          ({ type, stream }) => stream === 1 && (type === frameTypes.headers || type === frameTypes.reset),
        ) ?? goAway(client.frames),
      'an answer',
    );
    if (status === null) {
      expect(answer.type).not.toBe(frameTypes.headers);
    } else {
      expect(answer.type).toBe(frameTypes.headers);
    }
    client.socket.destroy();
    expect(seen).toEqual([]);
  });

  test.each(['with', 'without'])(
    'requests that are reset at once end the connection, %s a way in',
    async (way) => {
      const client = await connectHttp2(proxy);
      const token = way === 'with' ? proxy.token('prod') : null;
      for (let stream = 1; stream < 20_000 && !client.socket.destroyed; stream += 2) {
        const reset = frame(frameTypes.reset, 0, stream, Buffer.of(0, 0, 0, 8));
        client.socket.write(Buffer.concat([client.head(stream, { token, path: '/c/prod/watch' }), reset]));
      }
      await client.closed;
      expect(goAway(client.frames)?.payload.readUInt32BE(4)).toBe(11);
      await passes();
    },
  );

  test.each<
    [string, (client: Awaited<ReturnType<typeof connectHttp2>>) => { first?: Buffer; again: Buffer }]
  >([
    [
      'a head without end',
      ({ head: of }) => ({
        first: of(1, { flags: flags.endStream }),
        again: frame(frameTypes.continuation, 0, 1, headerBlock([['x', 'y']])),
      }),
    ],
    [
      'empty continuations',
      ({ head: of }) => ({
        first: of(1, { flags: flags.endStream }),
        again: frame(frameTypes.continuation, 0, 1),
      }),
    ],
    [
      'empty parts of a body',
      ({ head: of }) => ({
        first: of(1, { method: 'POST', path: '/c/prod/unread', flags: flags.endHeaders }),
        again: frame(frameTypes.data, 0, 1),
      }),
    ],
  ])('%s end the connection', async (_, attack) => {
    const client = await connectHttp2(proxy);
    const { first = Buffer.alloc(0), again } = attack(client);
    client.socket.write(first);
    const many = Buffer.concat(Array.from({ length: 1_000 }, () => again));
    expect(await growth(() => flood(client, many, 64 * mebibyte))).toBeLessThan(30);
    await client.closed;
    await passes();
  });

  test.each([
    ['pings', frame(frameTypes.ping, 0, 0, Buffer.alloc(8))],
    ['settings', frame(frameTypes.settings, 0, 0)],
  ])('%s whose answers are never read take no memory', async (_, again) => {
    const client = await connectHttp2(proxy);
    client.socket.pause();
    const many = Buffer.concat(Array.from({ length: 1_000 }, () => again));
    expect(await growth(() => flood(client, many, 256 * mebibyte))).toBeLessThan(30);
    await passes();
    client.socket.destroy();
  });

  test('a body in parts of one byte that the cluster doesn’t read takes no memory', async () => {
    const client = await connectHttp2(proxy);
    client.socket.write(client.head(1, { method: 'POST', path: '/c/prod/unread', flags: flags.endHeaders }));
    const many = Buffer.concat(
      Array.from({ length: 1_000 }, () => frame(frameTypes.data, 0, 1, Buffer.alloc(1))),
    );
    // The window allows no more.
    expect(await growth(() => flood(client, many, 10 * mebibyte))).toBeLessThan(60);
    await passes();
    client.socket.destroy();
  });
});

describe('a client with a way in', () => {
  test.each(['http/1.1', 'h2'] as const)(
    'that reads nothing over %s stops the cluster’s answer, and takes little memory',
    async (protocol) => {
      const open = async () => {
        if (protocol === 'h2') {
          const client = await connectHttp2(proxy);
          client.socket.pause();
          client.socket.write(client.head(1, { path: '/c/prod/endless' }));
          return client;
        }
        const client = await connectTo(proxy, 'http/1.1');
        client.socket.pause();
        client.socket.write(head(entitled()).replace('/a', '/endless'));
        return client;
      };
      const clients = await Promise.all(Array.from({ length: 4 }, open));
      await until(() => (seen.length === 4 ? true : null), 'the requests');
      const grown = await growth(async () => {
        for (let before = -1; before !== sent; await new Promise((resolve) => setTimeout(resolve, 500))) {
          before = sent;
        }
      });
      expect(grown).toBeLessThan(30);
      expect(sent).toBeLessThan(60 * mebibyte);
      for (const { socket } of clients) {
        socket.destroy();
      }
    },
  );

  test('that sends a body without end is stopped by a cluster that doesn’t read', async () => {
    const client = await connectTo(proxy, 'http/1.1');
    client.socket.write(
      head(entitled(), 'Transfer-Encoding: chunked').replace('GET /c/prod/a', 'POST /c/prod/unread'),
    );
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000), Buffer.from('\r\n')]);
    let written = 0;
    const grown = await growth(async () => {
      written = await flood(client, chunk, 256 * mebibyte);
    });
    expect(written).toBeLessThan(64 * mebibyte);
    expect(grown).toBeLessThan(30);
    // It waits for the cluster’s answer, and ends all the same.
    await proxy.order({ do: 'end', stream: null });
    expect(statusOf(await client.closed)).toBe(503);
    expect(await proxy.streams()).toEqual([]);
  });

  test('some of whose answers are not read gets the others', async () => {
    const clients = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const client = await connectTo(proxy, 'http/1.1');
        client.socket.pause();
        client.socket.write(head(entitled()).replace('/a', '/endless'));
        return client;
      }),
    );
    await until(() => (seen.length === 12 ? true : null), 'the requests');
    for (let before = -1; before !== sent; await new Promise((resolve) => setTimeout(resolve, 500))) {
      before = sent;
    }
    await passes();
    for (const { socket } of clients) {
      socket.destroy();
    }
  });

  test('that goes in the middle of a watch leaves nothing behind', async () => {
    const client = await connectTo(proxy, 'http/1.1');
    // Before it is sent: the watch says one thing and no more.
    const answered = once(client.socket, 'data');
    client.socket.write(head(entitled()).replace('/a', '/watch'));
    await answered;
    expect(await proxy.streams()).toHaveLength(1);
    client.socket.end();
    await until(async () => ((await proxy.streams()).length === 0 ? true : null), 'its end');
  });

  test('whose process ends has its requests ended, whoever has their connection', async () => {
    const child = start('sleep', ['600']);
    const watching = proxy.ask('/c/prod/watch', {
      token: proxy.token('prod', { p: child.pid, s: startOf(child.pid) }),
    });
    const ended = watching.then(
      () => 'ended well',
      () => 'cut off',
    );
    await until(async () => ((await proxy.streams()).length > 0 ? true : null), 'the watch');
    await child.dispose();
    expect(await ended).toBe('cut off');
    expect(await proxy.streams()).toEqual([]);
  });

  test(`leaves nothing behind after ${connects} connections`, {
    ...unless(whyNotLookedInto),
    timeout: 3_600_000,
  }, async () => {
    await proxy.ask('/c/prod/a');
    const before = { descriptors: openDescriptors(proxy.pid), bytes: residentBytes(proxy.pid) };
    for (let round = 0; round < connects / 50; round++) {
      await Promise.all(
        Array.from({ length: 50 }, () => proxy.ask('/c/prod/a', { agent: new https.Agent() })),
      );
    }
    await until(() => (openDescriptors(proxy.pid) <= before.descriptors ? true : null), 'all to be closed');
    expect((residentBytes(proxy.pid) - before.bytes) / mebibyte).toBeLessThan(15);
    expect(await proxy.streams()).toEqual([]);
  });
});

describe('a data plane that is killed', () => {
  test('ends all at once; another takes its port, and the same way in is good', async () => {
    const watching = proxy.ask('/c/prod/watch').then(
      () => 'ended well',
      () => 'cut off',
    );
    await until(async () => ((await proxy.streams()).length > 0 ? true : null), 'the watch');
    const token = proxy.token('prod');
    const { port, ca: own } = proxy;
    proxy = await proxy.killed();
    expect(await watching).toBe('cut off');
    expect([proxy.port, proxy.ca]).toEqual([port, own]);
    await proxy.setClusters(clusters);
    await proxy.open();
    expect(await proxy.ask('/c/prod/a', { token })).toMatchObject({ status: 200 });
  });
});
