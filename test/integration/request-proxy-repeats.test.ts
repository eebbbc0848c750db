import { once } from 'node:events';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { residentBytes } from '../support/agent.ts';
import { type CertificateAuthority, createCa, issueServerCertificate } from '../support/certificates.ts';
import { flags, frame, frameReader, frameTypes, headerBlock, preface } from '../support/http2-frames.ts';
import { RequestProxy } from '../support/request-proxy.ts';
import { until } from '../support/stage.ts';

/** Connections to a cluster that end, and clusters that answer before they have read: what a client sees of it. */
let ca: CertificateAuthority;
let certificate: { cert: string; key: string };
let proxy: RequestProxy;
const mebibyte = 2 ** 20;

beforeAll(async () => {
  ca = await createCa('upstream');
  const issued = await issueServerCertificate(ca, ['127.0.0.1']);
  certificate = { cert: issued.certificatePem, key: issued.keyPem };
  proxy = await RequestProxy.start();
  await proxy.open();
  return () => proxy.dispose();
});

afterEach(() => {
  proxy.give = () => ({ steps: [] });
  proxy.signs.splice(0);
  proxy.told.splice(0);
});

/** `connection`: which one it is, from 1. */
async function upstream(
  protocol: 'h2' | 'http/1.1',
  serve: (socket: tls.TLSSocket, connection: number) => void,
): Promise<void> {
  const open: tls.TLSSocket[] = [];
  const server = tls.createServer({ ...certificate, ALPNProtocols: [protocol] }, (socket) => {
    socket.on('error', () => undefined);
    serve(socket, open.push(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) {
      socket.destroy();
    }
    server.close();
  });
  const port = (server.address() as AddressInfo).port;
  await proxy.setClusters({
    prod: { server: `https://127.0.0.1:${port}`, certificateAuthority: ca.certificatePem },
  });
}

/** How the broker was told of what passed. */
const passed = async (count = 1) => {
  const all = () => proxy.told.filter(({ tell }) => tell === 'passed');
  await until(async () => (all().length >= count ? true : null), 'the telling');
  return all().map(({ status, fault }) => ({ status, fault }));
};

describe('over HTTP/2', () => {
  interface Stream {
    socket: tls.TLSSocket;
    connection: number;
    id: number;
    /** So much of its body has come. */
    body: () => number;
  }

  const settings = frame(frameTypes.settings, 0, 0);
  const answer = ({ socket, id }: Stream, text: string) =>
    socket.write(
      Buffer.concat([
        frame(frameTypes.headers, flags.endHeaders, id, headerBlock([[':status', '200']])),
        frame(frameTypes.data, flags.endStream, id, Buffer.from(text)),
      ]),
    );
  const goAway = ({ socket }: Stream, last: number, code = 0) =>
    socket.write(
      frame(frameTypes.goAway, 0, 0, Buffer.of(...[24, 16, 8, 0].map((bits) => last >> bits), 0, 0, 0, code)),
    );
  const reset = ({ socket, id }: Stream, code: number) =>
    socket.write(frame(frameTypes.reset, 0, id, Buffer.of(0, 0, 0, code)));

  /** `begun`: a head has come; `ended`: all of a request. */
  const serving = (begun: (stream: Stream) => void, ended: (stream: Stream) => void = () => undefined) =>
    upstream('h2', (socket, connection) => {
      const bodies = new Map<number, number>();
      const read = frameReader(({ type, flags: flag, stream: id, payload }) => {
        const stream: Stream = { socket, connection, id, body: () => bodies.get(id) ?? 0 };
        if (type === frameTypes.data) {
          bodies.set(id, stream.body() + payload.length);
        }
        if (type === frameTypes.headers) {
          begun(stream);
        }
        if ((type === frameTypes.headers || type === frameTypes.data) && (flag & flags.endStream) !== 0) {
          ended(stream);
        }
      });
      let isFirst = true;
      socket.on('data', (data) => {
        read(isFirst ? data.subarray(24) : data);
        isFirst = false;
      });
      socket.write(settings);
    });

  const body = 'a'.repeat(50_000);

  test.each<[string, (stream: Stream) => void]>([
    ['that a GOAWAY is below', (stream) => goAway(stream, stream.id - 2)],
    ['that a GOAWAY for a fault is below', (stream) => goAway(stream, stream.id - 2, 11)],
    ['that is refused', (stream) => reset(stream, 7)],
  ])('a POST %s is sent once more, whole, and signed anew', async (_, refuse) => {
    proxy.give = () => ({
      steps: [{ step: 'signProgram', signer: 'own', payload: 'none', credentials: false }],
    });
    const seen: string[] = [];
    await serving(
      () => undefined,
      (stream) => {
        seen.push(`${stream.connection}:${stream.id}:${stream.body()}`);
        if (stream.id === 1 && stream.connection === 1) {
          answer(stream, 'first');
        } else if (stream.connection === 1) {
          refuse(stream);
        } else {
          answer(stream, `got ${stream.body()}`);
        }
      },
    );
    expect(await proxy.ask('/c/prod/a')).toMatchObject({ status: 200, body: 'first' });
    expect(await proxy.ask('/c/prod/a', { method: 'POST', body })).toMatchObject({
      status: 200,
      body: 'got 50000',
    });
    expect(seen).toEqual(['1:1:0', '1:3:50000', '2:1:50000']);
    expect(proxy.signs).toHaveLength(3);
    expect(await passed(2)).toEqual([
      { status: 200, fault: null },
      { status: 200, fault: null },
    ]);
  });

  test('a body that was begun goes on where it was, on the next connection', async () => {
    const refused = new Set<number>();
    const resume = Promise.withResolvers<void>();
    await serving(
      (stream) => {
        if (stream.connection === 1) {
          refused.add(stream.id);
          // The client has sent a part.
          stream.socket.on('data', () => {
            if (stream.body() >= 1000 && refused.delete(stream.id)) {
              reset(stream, 7);
              resume.resolve();
            }
          });
        }
      },
      (stream) => stream.connection > 1 && answer(stream, `got ${stream.body()}`),
    );
    const asked = Promise.withResolvers<string>();
    const request = https.request(
      {
        host: '127.0.0.1',
        port: proxy.port,
        path: '/c/prod/a',
        method: 'POST',
        ca: proxy.ca,
        headers: { authorization: `Bearer ${proxy.token('prod')}` },
      },
      (response) => response.on('data', (data) => asked.resolve(String(data))),
    );
    request.on('error', asked.reject);
    request.write('b'.repeat(1000));
    await resume.promise;
    request.end('c'.repeat(500));
    expect(await asked.promise).toBe('got 1500');
  });

  test('one that was looked at is left to its end, and the next goes elsewhere', async () => {
    const seen: string[] = [];
    let left: Stream | null = null;
    await serving(
      () => undefined,
      (stream) => {
        seen.push(`${stream.connection}:${stream.id}`);
        if (stream.connection === 1) {
          left = stream;
          goAway(stream, stream.id);
        } else {
          answer(stream, 'second');
          answer(left as unknown as Stream, 'first');
        }
      },
    );
    const first = proxy.ask('/c/prod/a', { method: 'POST', body });
    await until(async () => (left ? true : null), 'the first');
    expect(await proxy.ask('/c/prod/b', { method: 'POST', body })).toMatchObject({ body: 'second' });
    expect(await first).toMatchObject({ status: 200, body: 'first' });
    expect(seen).toEqual(['1:1', '2:1']);
  });

  test('one that may have been done is not sent again, and a cluster that takes none is asked a few times', async () => {
    let seen = 0;
    await serving(
      () => undefined,
      (stream) => {
        seen += 1;
        reset(stream, 2);
      },
    );
    expect(await proxy.ask('/c/prod/a', { method: 'POST', body })).toMatchObject({ status: 502 });
    expect(seen).toBe(1);
    await serving(
      () => undefined,
      (stream) => {
        seen += 1;
        reset(stream, 7);
      },
    );
    expect(await proxy.ask('/c/prod/a', { method: 'POST', body })).toMatchObject({
      status: 502,
      body: expect.stringContaining('prod takes no requests'),
    });
    expect(seen).toBe(8);
  });

  test('a try that was sent twice is told of as one', async () => {
    await serving((stream) => (stream.connection === 1 ? reset(stream, 7) : answer(stream, 'ok')));
    expect(await proxy.try({ path: '/a' })).toMatchObject({
      attempts: [{ why: 'first', status: 200 }],
      answer: { status: 200 },
    });
  });
});

describe('over HTTP/1.1', () => {
  /** Calls `heard` with each whole request’s head. */
  const serving = (heard: (socket: tls.TLSSocket, connection: number, head: string) => void) =>
    upstream('http/1.1', (socket, connection) => {
      let text = '';
      socket.on('data', (data) => {
        text += data.toString('latin1');
        for (;;) {
          const [head = '', ...rest] = text.split('\r\n\r\n');
          const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
          const behind = rest.join('\r\n\r\n');
          if (rest.length === 0 || behind.length < length) {
            return;
          }
          text = behind.slice(length);
          heard(socket, connection, head);
        }
      });
    });
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

  /** The second request of a connection ends it, without an answer. */
  async function endingTheSecond() {
    const seen: string[] = [];
    const served = new Map<number, number>();
    await serving((socket, connection, head) => {
      seen.push(`${connection} ${head.split(' ')[0]}`);
      served.set(connection, (served.get(connection) ?? 0) + 1);
      if (served.get(connection) === 1) {
        socket.write(ok);
      } else {
        socket.destroy();
      }
    });
    expect(await proxy.ask('/c/prod/a')).toMatchObject({ status: 200 });
    return seen;
  }

  test.each([
    ['GET', {}, undefined],
    ['HEAD', {}, undefined],
    ['POST', { 'idempotency-key': '1' }, 'abc'],
  ])('a %s that may be done twice is sent once more, on a new connection', async (method, headers, body) => {
    const seen = await endingTheSecond();
    const options = { method, headers, ...(body && { body }) };
    expect(await proxy.ask('/c/prod/a', options)).toMatchObject({ status: 200 });
    expect(seen).toEqual(['1 GET', `1 ${method}`, `2 ${method}`]);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a %s that was sent is sent once', async (method) => {
    const seen = await endingTheSecond();
    // Node states no length of a DELETE’s body by itself: its bytes would begin the next request.
    const headers = { 'content-length': '3' };
    expect(await proxy.ask('/c/prod/a', { method, headers, body: 'abc' })).toMatchObject({
      status: 502,
      body: expect.stringContaining('prod broke the connection'),
    });
    expect(seen).toEqual(['1 GET', `1 ${method}`]);
  });

  test.each([
    ['GET', 2],
    ['POST', 1],
  ])('a %s whose new connection ends without an answer is sent %d times', async (method, times) => {
    let seen = 0;
    await serving((socket) => {
      seen += 1;
      socket.destroy();
    });
    expect(await proxy.ask('/c/prod/a', { method })).toMatchObject({
      status: 502,
      body: expect.stringContaining('prod broke the connection'),
    });
    expect(seen).toBe(times);
  });

  test('a server that stops drops a GET on a kept connection, and on the next one, too', async () => {
    const seen: string[] = [];
    await serving((socket, connection) => {
      seen.push(`${connection}`);
      if (seen.length === 2 || seen.length === 3) {
        socket.destroy();
      } else {
        socket.write(ok);
      }
    });
    for (let count = 0; count < 2; count++) {
      expect(await proxy.ask('/c/prod/a')).toMatchObject({ status: 200 });
    }
    expect(seen).toEqual(['1', '1', '2', '3']);
  });

  test('a POST keeps away from connections that have ended, or are about to', async () => {
    const seen: string[] = [];
    await serving((socket, connection, head) => {
      seen.push(`${connection} ${head.split(' ')[0]}`);
      socket.end(ok);
    });
    for (const method of ['GET', 'POST', 'POST', 'GET', 'POST']) {
      expect(await proxy.ask('/c/prod/a', { method, body: method === 'GET' ? '' : 'abc' })).toMatchObject({
        status: 200,
      });
    }
    expect(seen).toEqual(['1 GET', '2 POST', '3 POST', '4 GET', '5 POST']);
  });
});

describe('an answer before the body was read', () => {
  /** As many a server does: it answers, and closes on what still comes. */
  const refusing = () =>
    upstream('http/1.1', (socket) =>
      socket.once('data', () =>
        socket.end(
          'HTTP/1.1 413 Payload Too Large\r\nContent-Length: 9\r\nConnection: close\r\n\r\ntoo large',
          () => socket.destroy(),
        ),
      ),
    );

  /** Fails where the proxy resets the connection. */
  async function connected(protocol: 'h2' | 'http/1.1') {
    const to = { host: '127.0.0.1', port: proxy.port, ca: proxy.ca };
    const socket = tls.connect({ ...to, ALPNProtocols: [protocol] });
    onTestFinished(() => void socket.destroy());
    const failed = new Promise<never>((_, reject) => socket.on('error', reject));
    await Promise.race([once(socket, 'secureConnect'), failed]);
    return { socket, failed };
  }

  test('reaches a client that sends all before it reads, over HTTP/1.1', async () => {
    await refusing();
    const { socket, failed } = await connected('http/1.1');
    // More than the sockets on its way hold.
    const bytes = 32 * 1024 * 1024;
    socket.write(
      `POST /c/prod/a HTTP/1.1\r\nHost: 127.0.0.1:${proxy.port}\r\nAuthorization: Bearer ${proxy.token('prod')}\r\nContent-Length: ${bytes}\r\n\r\n`,
    );
    const sent = new Promise((resolve) => socket.write(Buffer.alloc(bytes), resolve));
    await Promise.race([sent, failed]);
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
    });
    await Promise.race([once(socket, 'end'), failed]);
    expect(text).toMatch(/^HTTP\/1.1 413 .*too large$/s);
  });

  test('reaches a client whose stream would be reset behind it, over HTTP/2', async () => {
    await refusing();
    const { socket, failed } = await connected('h2');
    const seen: string[] = [];
    const names = new Map(Object.entries(frameTypes).map(([name, type]) => [type, name]));
    const told = (wanted: string) =>
      Promise.race([until(async () => (seen.includes(wanted) ? true : null), wanted), failed]);
    socket.on(
      'data',
      frameReader(({ type, flags: flag }) => {
        const isAnswer = type !== frameTypes.settings && names.has(type);
        seen.push(isAnswer ? `${names.get(type)}` : `${type}:${flag}`);
      }),
    );
    const settings = frame(frameTypes.settings, 0, 0);
    socket.write(Buffer.concat([preface, settings, frame(frameTypes.settings, flags.ack, 0)]));
    await told(`${frameTypes.settings}:${flags.ack}`);
    const head = headerBlock([
      [':method', 'POST'],
      [':scheme', 'https'],
      [':authority', `127.0.0.1:${proxy.port}`],
      [':path', '/c/prod/a'],
      ['authorization', `Bearer ${proxy.token('prod')}`],
    ]);
    socket.write(frame(frameTypes.headers, flags.endHeaders, 1, head));
    socket.write(frame(frameTypes.data, 0, 1, Buffer.alloc(16_000)));
    await told('data');
    // It goes on sending, and ends: only then is the stream over, for both.
    socket.write(frame(frameTypes.data, 0, 1, Buffer.alloc(16_000)));
    socket.write(frame(frameTypes.data, flags.endStream, 1));
    socket.write(frame(frameTypes.ping, 0, 0, Buffer.alloc(8)));
    await told('ping');
    expect(seen.filter((each) => /[a-z]/.test(each))).toEqual(['headers', 'data', 'ping']);
  });
});

describe('a body that its client breaks', () => {
  test.each([
    ['in the middle of a chunk', '5\r\nab'],
    ['by a chunk that is none', '2\r\nab\r\nxyz\r\n'],
  ])('%s is the client’s fault', async (_, body) => {
    await upstream('http/1.1', (socket) => socket.on('data', () => undefined));
    const text = await proxy.raw(
      `POST /c/prod/a HTTP/1.1\r\nHost: 127.0.0.1:${proxy.port}\r\nAuthorization: Bearer ${proxy.token('prod')}\r\nTransfer-Encoding: chunked\r\n\r\n${body}`,
      { end: true },
    );
    expect(text).toMatch(/^HTTP\/1.1 400 .*lanyard: the request’s body/s);
    expect(await passed()).toEqual([{ status: 400, fault: expect.stringContaining('the request’s body') }]);
  });
});

test('memory returns after readers that stalled', async () => {
  const server = http2.createSecureServer(certificate, (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
    };
    response.on('drain', more);
    more();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const port = (server.address() as AddressInfo).port;
  // One of its own, which has done nothing yet.
  const own = await RequestProxy.start();
  onTestFinished(() => own.dispose());
  await own.open();
  const stated = { server: `https://127.0.0.1:${port}`, certificateAuthority: ca.certificatePem };
  await own.setClusters({ prod: stated });
  const before = residentBytes(own.pid);
  const most = before + 12 * mebibyte;
  const client = http2.connect(`https://127.0.0.1:${own.port}`, { ca: own.ca });
  client.on('error', () => undefined);
  for (let at = 0; at < 80; at++) {
    const headers = { ':path': '/c/prod/a', authorization: `Bearer ${own.token('prod')}` };
    client.request(headers).on('error', () => undefined);
  }
  await until(() => (residentBytes(own.pid) > most + 8 * mebibyte ? true : null), 'their answers');
  client.destroy();
  await until(() => (residentBytes(own.pid) < most ? true : null), 'the memory');
});
