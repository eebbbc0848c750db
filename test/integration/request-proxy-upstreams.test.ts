import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import tls from 'node:tls';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { residentBytes } from '../support/agent.ts';
import { type CertificateAuthority, createCa, issueServerCertificate } from '../support/certificates.ts';
import { flags, frame, frameReader, frameTypes, headerBlock } from '../support/http2-frames.ts';
import { chosenPoints, seedInTitle } from '../support/long.ts';
import { type Answer, RequestProxy } from '../support/request-proxy.ts';
import { until } from '../support/stage.ts';

/** The data plane against a malicious or broken cluster: a server that answers by bytes. */
let ca: CertificateAuthority;
let proxy: RequestProxy;
const mebibyte = 2 ** 20;

beforeAll(async () => {
  ca = await createCa('upstream');
  proxy = await RequestProxy.start();
  await proxy.open();
  return () => proxy.dispose();
});

interface Upstream {
  server: string;
  /** What each connection sent. */
  heard: Buffer[];
  connections: Socket[];
}

/** Calls `serve` for each connection, with what was sent on it each time that more comes. */
async function upstream(
  protocol: 'h2' | 'http/1.1',
  serve: (socket: tls.TLSSocket, heard: () => Buffer) => void,
  certificate: Partial<{ cert: string; key: string }> = {},
): Promise<Upstream> {
  const issued = await issueServerCertificate(ca, ['127.0.0.1']);
  const started: Upstream = { server: '', heard: [], connections: [] };
  const server = tls.createServer(
    { cert: issued.certificatePem, key: issued.keyPem, ALPNProtocols: [protocol], ...certificate },
    (socket) => {
      const at = started.heard.push(Buffer.alloc(0)) - 1;
      const heard = () => started.heard[at] as Buffer;
      started.connections.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        // Enough of those that are flooded, and flooded with answers.
        if (heard().length < 64 * 1024) {
          started.heard[at] = Buffer.concat([heard(), data]);
        }
      });
      serve(socket, heard);
    },
  );
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of started.connections) {
      socket.destroy();
    }
    server.close();
  });
  started.server = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await proxy.setClusters({ prod: { server: started.server, certificateAuthority: ca.certificatePem } });
  return started;
}

/** Answers each request over HTTP/1.1, once its head has come. */
function answering(write: (socket: tls.TLSSocket, count: number) => void) {
  return upstream('http/1.1', (socket, heard) => {
    let answered = 0;
    socket.on('data', () => {
      for (const heads = heard().toString('latin1').split('\r\n\r\n').length - 1; answered < heads; ) {
        answered += 1;
        write(socket, answered);
      }
    });
  });
}

const outcome = (asked: Promise<Answer>) =>
  asked.then(
    ({ status, body }) => ({ status, body }),
    () => ({ status: 0, body: 'cut off' }),
  );

/** Writes again and again, as fast as the other side reads, until it has gone. */
function writeForEver(socket: tls.TLSSocket, bytes: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
}

const many = (text: string | Buffer) => Buffer.concat(Array.from({ length: 500 }, () => Buffer.from(text)));

/** Another cluster, which is none the worse. */
async function othersPass(): Promise<void> {
  const { certificatePem: cert, keyPem: key } = await issueServerCertificate(ca, ['127.0.0.1']);
  const server = tls.createServer({ cert, key, ALPNProtocols: ['http/1.1'] }, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = (server.address() as AddressInfo).port;
  await proxy.setClusters({
    other: { server: `https://127.0.0.1:${port}`, certificateAuthority: ca.certificatePem },
  });
  expect(await proxy.ask('/a', { token: proxy.token('other') })).toMatchObject({ status: 200, body: 'ok' });
  server.close();
}

afterEach(async () => {
  await proxy.order({ do: 'end', stream: null });
  await until(async () => ((await proxy.streams()).length === 0 ? true : null), 'all to end');
});

describe('over HTTP/1.1, an answer', () => {
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  const good = { status: 200, body: 'ok' };
  const refused = { status: 502, body: expect.any(String) };
  const cutOff = { status: 0, body: 'cut off' };
  const head = (...lines: string[]) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
  test.each<[string, string, Awaited<ReturnType<typeof outcome>>]>([
    ['as usual', ok, good],
    ['after informational ones', `HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${ok}`, good],
    [
      'that changes the protocol, unasked',
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${head()}`,
      { status: 502, body: 'lanyard: prod broke the connection: it changes the protocol, unasked\n' },
    ],
    ['with a head of 1 MiB', head(`X: ${'a'.repeat(mebibyte)}`), refused],
    ['with 10,000 headers', head(...new Array<string>(10_000).fill('X: a')), refused],
    ['that is none', 'SSH-2.0-OpenSSH_9.9\r\n\r\n', refused],
    ['of HTTP/0.9', 'hello', refused],
    ['with two lengths', `${head('Content-Length: 2', 'Content-Length: 40')}ok`, refused],
    ['with a NUL', head('X: a\0b', 'Content-Length: 0'), refused],
    [
      'that redirects elsewhere',
      'HTTP/1.1 307 No\r\nLocation: https://evil.example.com/\r\nContent-Length: 0\r\n\r\n',
      refused,
    ],
    ['that is shorter than it says', `${head('Content-Length: 9')}ok`, cutOff],
    ['in chunks that are none', `${head('Transfer-Encoding: chunked')}zz\r\nok`, cutOff],
    [
      'with a length and chunks has the chunks',
      `${head('Content-Length: 40', 'Transfer-Encoding: chunked')}2\r\nok\r\n0\r\n\r\n`,
      good,
    ],
    ['with another behind it is that answer alone', `${ok}${head('Content-Length: 4')}evil`, good],
  ])('%s', async (_, bytes, expected) => {
    await answering((socket, count) => {
      if (count === 1) {
        socket.end(bytes);
      } else {
        socket.write(ok);
      }
    });
    expect(await outcome(proxy.ask('/c/prod/a'))).toEqual(expected);
    // What came is of no other request.
    expect(await outcome(proxy.ask('/c/prod/b'))).not.toMatchObject({ body: 'evil' });
    await othersPass();
  });

  test('that is informational for ever costs others nothing, and ends with its client', async () => {
    const started = await answering((socket) =>
      writeForEver(socket, many('HTTP/1.1 103 Early Hints\r\n\r\n')),
    );
    const before = residentBytes(proxy.pid);
    const asked = outcome(proxy.ask('/c/prod/a'));
    await until(() => (started.heard.length > 0 ? true : null), 'the request');
    await othersPass();
    expect((residentBytes(proxy.pid) - before) / mebibyte).toBeLessThan(30);
    await proxy.order({ do: 'end', stream: null });
    expect(await asked).toMatchObject({ status: 503 });
    await until(() => (started.connections.every(({ destroyed }) => destroyed) ? true : null), 'its end');
  });

  test('has trailers as far as they are none of the connection or of who may read it', async () => {
    await answering((socket) =>
      socket.write(
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum, Location, Access-Control-Allow-Origin\r\n\r\n' +
          '2\r\nok\r\n0\r\nX-Sum: 1\r\nLocation: https://evil.example.com\r\nAccess-Control-Allow-Origin: *\r\n\r\n',
      ),
    );
    const text = await proxy.raw(
      `GET /a HTTP/1.1\r\nHost: 127.0.0.1:${proxy.port}\r\nAuthorization: Bearer ${proxy.token('prod')}\r\nTE: trailers\r\nConnection: close, TE\r\n\r\n`,
    );
    expect(text).toMatch(/0\r\nx-sum: 1\r\n\r\n$/i);
  });
});

test('a client’s trailers say nothing that the chain says, or that a header alone may', async () => {
  const started = await answering(() => undefined);
  proxy.give = () => ({ steps: [{ step: 'set', name: 'X-Pair', value: 'of the chain', secret: true }] });
  await proxy.setClusters({
    prod: { server: started.server, certificateAuthority: ca.certificatePem, epoch: 't' },
  });
  const token = proxy.token('prod', { e: 't' });
  const asked = proxy.raw(
    `POST /a HTTP/1.1\r\nHost: 127.0.0.1:${proxy.port}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n` +
      'Trailer: X-Sum, X-Pair, X-Remote-User, Authorization\r\nTransfer-Encoding: chunked\r\n\r\n' +
      '2\r\nab\r\n0\r\nX-Sum: 1\r\nX-Pair: evil\r\nX-Remote-User: root\r\nAuthorization: evil\r\n\r\n',
  );
  await until(() => (/0\r\n.*\r\n\r\n$/s.test(String(started.heard[0] ?? '')) ? true : null), 'the body');
  const text = String(started.heard[0]);
  expect(text).toContain('x-pair: of the chain');
  expect(text).toMatch(/0\r\nx-sum: 1\r\n\r\n$/i);
  expect(text).not.toContain('evil');
  started.connections[0]?.destroy();
  await asked;
});

describe('an upgrade', () => {
  test.each([
    ['websocket', 101],
    ['WebSocket', 101],
    ['SPDY/3.1', 502],
    ['', 502],
  ])('that the cluster answers with “%s” gets %i', async (protocol, status) => {
    await answering((socket) =>
      socket.end(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n${protocol && `Upgrade: ${protocol}\r\n`}\r\n`,
      ),
    );
    const text = await proxy.raw(
      `GET /a HTTP/1.1\r\nHost: 127.0.0.1:${proxy.port}\r\nAuthorization: Bearer ${proxy.token('prod')}\r\nConnection: Upgrade\r\nUpgrade: , websocket\r\n\r\n`.replace(
        'Connection: Upgrade',
        status === 101 ? 'Connection: Upgrade' : 'Connection: Upgrade, close',
      ),
    );
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
  });
});

describe('over HTTP/2, a cluster', () => {
  const settings = frame(frameTypes.settings, 0, 0);
  const ok = (stream: number) => [
    frame(frameTypes.headers, flags.endHeaders, stream, headerBlock([[':status', '200']])),
    frame(frameTypes.data, flags.endStream, stream, Buffer.from('ok')),
  ];

  /** Answers each request’s head. */
  function serving(answer: (socket: tls.TLSSocket, stream: number) => void, begin: Buffer = settings) {
    return upstream('h2', (socket) => {
      const read = frameReader(({ type, stream }) => {
        if (type === frameTypes.headers) {
          answer(socket, stream);
        }
      });
      let isFirst = true;
      socket.on('data', (data) => {
        read(isFirst ? data.subarray(24) : data);
        isFirst = false;
      });
      socket.write(begin);
    });
  }

  const grows = async (run: () => Promise<unknown>) => {
    const before = residentBytes(proxy.pid);
    await run();
    return (residentBytes(proxy.pid) - before) / mebibyte;
  };

  test('that answers as usual', async () => {
    await serving((socket, stream) => socket.write(Buffer.concat(ok(stream))));
    expect(await outcome(proxy.ask('/c/prod/a'))).toEqual({ status: 200, body: 'ok' });
  });

  const floods: readonly [string, (stream: number) => { first?: Buffer; again: Buffer }][] = [
    [
      'informational answers',
      (stream) => ({
        again: frame(frameTypes.headers, flags.endHeaders, stream, headerBlock([[':status', '103']])),
      }),
    ],
    [
      'empty parts of a body',
      (stream) => ({ first: ok(stream)[0], again: frame(frameTypes.data, 0, stream) }),
    ],
    [
      'a head that never ends',
      (stream) => ({
        first: frame(frameTypes.headers, 0, stream, headerBlock([[':status', '200']])),
        again: frame(frameTypes.continuation, 0, stream, headerBlock([['x', 'y']])),
      }),
    ],
    [
      'empty continuations',
      (stream) => ({
        first: frame(frameTypes.headers, 0, stream, headerBlock([[':status', '200']])),
        again: frame(frameTypes.continuation, 0, stream),
      }),
    ],
    ['pings', () => ({ again: frame(frameTypes.ping, 0, 0, Buffer.alloc(8)) })],
    ['settings', () => ({ again: settings })],
    ['resets', (stream) => ({ again: frame(frameTypes.reset, 0, stream, Buffer.of(0, 0, 0, 8)) })],
    [
      'resets before anything was sent',
      (stream) => ({ again: frame(frameTypes.reset, 0, stream, Buffer.of(0, 0, 0, 7)) }),
    ],
    ['answers without a request', (stream) => ({ again: ok(stream + 2)[0] as Buffer })],
    ['another protocol than HTTP', () => ({ again: Buffer.from('hello') })],
  ];
  const some = chosenPoints(floods.length).flatMap((point) => floods.slice(point - 1, point));
  test.each(some)(`that floods with %s costs others nothing${seedInTitle}`, async (_, attack) => {
    const started = await serving((socket, stream) => {
      const { first = Buffer.alloc(0), again } = attack(stream);
      socket.write(first);
      writeForEver(socket, many(again));
    });
    const grown = await grows(async () => {
      const asked = outcome(proxy.ask('/c/prod/a'));
      await until(() => (started.heard.some((heard) => heard.length > 100) ? true : null), 'the request');
      await othersPass();
      await othersPass();
      await proxy.order({ do: 'end', stream: null });
      expect([0, 200, 503, 502]).toContain((await asked).status);
    });
    expect(grown).toBeLessThan(30);
  });

  test('that sends a head of 1 MiB is refused', async () => {
    await serving((socket, stream) => {
      const block = headerBlock([
        [':status', '200'],
        ...Array.from({ length: 64 }, (__, at) => [`x-${at}`, 'a'.repeat(16_000)] as const),
      ]);
      socket.write(frame(frameTypes.headers, 0, stream, block.subarray(0, 16_000)));
      for (let at = 16_000; at < block.length; at += 16_000) {
        socket.write(
          frame(
            frameTypes.continuation,
            at + 16_000 >= block.length ? flags.endHeaders : 0,
            stream,
            block.subarray(at, at + 16_000),
          ),
        );
      }
    });
    expect(await outcome(proxy.ask('/c/prod/a'))).toMatchObject({ status: 502 });
  });

  test('that allows no streams gets a bounded number of connections', async () => {
    const none = frame(frameTypes.settings, 0, 0, Buffer.of(0, 3, 0, 0, 0, 0));
    const started = await serving(() => undefined, none);
    const asked = Array.from({ length: 300 }, () => outcome(proxy.ask('/c/prod/a')));
    const answers = await Promise.race([
      Promise.all(asked),
      until(async () => ((await proxy.streams()).length === 256 ? [] : null), 'the rest to be refused'),
    ]);
    expect(answers).toEqual([]);
    expect(started.connections.length).toBe(256);
    await proxy.order({ do: 'end', stream: null });
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect([
      statuses.filter((status) => status === 503).length,
      statuses.filter((status) => status === 502).length,
    ]).toEqual([256, 44]);
  });

  test('that takes two streams on each connection gets as many connections as it needs, from the first on', async () => {
    const two = frame(frameTypes.settings, 0, 0, Buffer.of(0, 3, 0, 0, 0, 2));
    const perConnection = new Map<tls.TLSSocket, number>();
    await serving((socket, stream) => {
      perConnection.set(socket, (perConnection.get(socket) ?? 0) + 1);
      socket.write(ok(stream)[0] as Buffer);
    }, two);
    const asked = Array.from({ length: 21 }, () => outcome(proxy.ask('/c/prod/watch')));
    await until(
      () => ([...perConnection.values()].reduce((sum, each) => sum + each, 0) === 21 ? true : null),
      'all to be begun',
    );
    expect(Math.max(...perConnection.values())).toBe(2);
    await proxy.order({ do: 'end', stream: null });
    await Promise.all(asked);
  });
});

// KEP-2718/forwarding
describe('a certificate', () => {
  const day = 86_400_000;
  test.each<[string, (own: CertificateAuthority) => Promise<{ certificatePem: string; keyPem: string }>]>([
    ['of another name', (own) => issueServerCertificate(own, ['10.0.0.1'])],
    [
      'that has expired',
      (own) =>
        issueServerCertificate(own, ['127.0.0.1'], {
          notBefore: new Date(Date.now() - 2 * day),
          notAfter: new Date(Date.now() - day),
        }),
    ],
    [
      'that is not valid yet',
      (own) => issueServerCertificate(own, ['127.0.0.1'], { notBefore: new Date(Date.now() + day) }),
    ],
    ['of another CA', async () => issueServerCertificate(await createCa('other'), ['127.0.0.1'])],
    ['that is a CA’s', async (own) => own],
  ])('%s ends the connection before the request', async (_, issue) => {
    const { certificatePem, keyPem } = await issue(ca);
    const started = await upstream('http/1.1', () => undefined, { cert: certificatePem, key: keyPem });
    expect(await outcome(proxy.ask('/c/prod/a'))).toMatchObject({
      status: 502,
      body: expect.stringMatching(/^lanyard: prod \(127\.0\.0\.1:\d+\) presents a certificate /),
    });
    expect(String(started.heard)).toBe('');
  });
});

test('a cluster that takes the connection and says nothing is waited for once, however many ask', async () => {
  const { createServer } = await import('node:net');
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await proxy.setClusters({
    prod: { server: `https://127.0.0.1:${port}`, certificateAuthority: ca.certificatePem },
  });
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  const answers = await Promise.all(Array.from({ length: 4 }, () => proxy.ask('/c/prod/a')));
  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    answers.map(() => [502, `lanyard: prod (127.0.0.1:${port}) did not answer in time\n`]),
  );
  expect(sockets).toHaveLength(1);
  server.close();
});
