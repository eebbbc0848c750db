import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCa, issueServerCertificate } from '../support/certificates.ts';
import { isLong } from '../support/long.ts';
import { openDescriptors } from '../support/open-descriptors.ts';
import { type Running, start } from '../support/processes.ts';
import { RequestProxy } from '../support/request-proxy.ts';
import { until } from '../support/stage.ts';
import { whyNotLookedInto } from '../support/system.ts';
import { unless } from '../support/unless.ts';

/** What the request proxy keeps of clients and servers that are many, or that are gone: nothing. */
const connects = isLong ? 10_000 : 100;
const watches = isLong ? 250 : 100;
const each = 15;

describe.each(['HTTP/2', 'HTTP/1.1'])('before a server of %s', (spoken) => {
  let upstream: Server | http2.Http2SecureServer;
  let caPem: string;
  let proxy: RequestProxy;
  /** Under way in the server. */
  const open = new Set<unknown>();
  const sockets = new Set<Socket>();

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/get') {
      response.end('got');
      return;
    }
    open.add(response);
    response.once('close', () => open.delete(response));
    if (request.url !== '/silent') {
      response.write('{}');
    }
  };

  beforeAll(async () => {
    const ca = await createCa('upstream');
    caPem = ca.certificatePem;
    const { certificatePem: cert, keyPem: key } = await issueServerCertificate(ca, ['127.0.0.1']);
    upstream =
      spoken === 'HTTP/2'
        ? http2.createSecureServer(
            { cert, key, allowHTTP1: true, settings: { maxConcurrentStreams: 100 } },
            answer as never,
          )
        : https.createServer({ cert, key }, answer);
    upstream.on('upgrade', (_: IncomingMessage, socket: Duplex) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      socket.on('error', () => undefined);
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nbegun',
      );
      socket.resume();
    });
    upstream.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    proxy = await ready(await RequestProxy.start());
  });
  afterAll(async () => {
    await proxy?.dispose();
    for (const socket of sockets) {
      socket.destroy();
    }
    await new Promise((resolve) => upstream.close(resolve));
  });

  const ready = async (one: RequestProxy) => {
    const server = `https://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    await one.setClusters({ prod: { server, certificateAuthority: caPem } });
    await one.open();
    return one;
  };
  const startClient = async (): Promise<Running> => {
    const { port, ca } = proxy;
    const input = JSON.stringify({ port, ca, token: proxy.token('prod'), each });
    const program = join(import.meta.dirname, '..', 'support', 'proxied-client-process.ts');
    const client = start(process.execPath, ['--disable-warning=ExperimentalWarning', program], { input });
    await client.waitForLine(/^open$/);
    await until(() => (open.size === 6 * each ? true : null), 'all in the server');
    return client;
  };
  const get = () => proxy.ask('/c/prod/get', { agent: new https.Agent() });
  /** With what it keeps for the next request. */
  const descriptors = async () => {
    expect(await get()).toMatchObject({ status: 200, body: 'got' });
    return openDescriptors(proxy.pid);
  };

  test(`${watches} watches, and a GET beside them`, async () => {
    const client = http2.connect(`https://127.0.0.1:${proxy.port}`, { ca: proxy.ca });
    const authorization = `Bearer ${proxy.token('prod')}`;
    await Promise.all(
      Array.from({ length: watches }, () => {
        const request = client.request({ ':path': '/c/prod/watch', authorization });
        request.on('error', () => undefined);
        return new Promise((resolve) => request.once('data', resolve));
      }),
    );
    expect(open.size).toBe(watches);
    expect(await get()).toMatchObject({ status: 200, body: 'got' });
    client.destroy();
    await until(() => (open.size === 0 ? true : null), 'the end of the watches');
  });

  test('a client that is killed in mid-stream leaves nothing open', unless(whyNotLookedInto), async () => {
    await (await startClient()).dispose();
    await until(() => (open.size === 0 ? true : null), 'the end in the server');
    const before = await descriptors();
    for (let times = 0; times < (isLong ? 3 : 1); times++) {
      const client = await startClient();
      expect(await proxy.streams()).toHaveLength(6 * each);
      client.kill('SIGKILL');
      await until(() => (open.size === 0 ? true : null), 'the end in the server');
      await until(async () => ((await proxy.streams()).length === 0 ? true : null), 'the end in the proxy');
    }
    await until(async () => ((await descriptors()) <= before ? true : null), 'the end of its connections');
  });

  test(`${connects} connections leave neither descriptors nor memory behind`, {
    ...unless(whyNotLookedInto),
    timeout: 3_600_000,
  }, async () => {
    const connect = async (count: number) => {
      let left = count;
      const one = async () => {
        while (left-- > 0) {
          const agent = new https.Agent({ maxCachedSessions: 0 });
          expect((await proxy.ask('/c/prod/get', { agent })).status).toBe(200);
          agent.destroy();
        }
      };
      await Promise.all(Array.from({ length: 20 }, one));
    };
    // Its memory has its size then.
    await connect(isLong ? 500 : 50);
    const [before, mebibytes] = [await descriptors(), resident(proxy.pid)];
    await connect(connects);
    await until(async () => ((await descriptors()) <= before ? true : null), 'the end of its connections');
    expect(resident(proxy.pid)).toBeLessThan(mebibytes + 4);
  });

  test('a proxy that is killed in mid-stream: the server has nothing open, and its client ends', async () => {
    const client = await startClient();
    process.kill(proxy.pid, 'SIGKILL');
    await until(() => (open.size === 0 && sockets.size === 0 ? true : null), 'the end in the server');
    await client.ended;
    proxy = await ready(await RequestProxy.start());
    expect(await get()).toMatchObject({ status: 200, body: 'got' });
  });
});

/** In MiB. */
function resident(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}
