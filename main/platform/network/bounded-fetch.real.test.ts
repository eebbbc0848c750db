import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFetch, defaultHttpLimits } from './bounded-fetch.ts';
import { HttpFailure } from './http-failure.ts';

let server: Server;
let port: number;
const seen: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.writeHead(302, { location: '/elsewhere', 'set-cookie': 'a=b', 'content-type': 'text/plain' });
    response.end('moved');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const fetchWith = (loopbackHttp: boolean) =>
  createFetch({ certificateAuthorityPem: null, loopbackHttp, limits: defaultHttpLimits });

test.each<[string, boolean, string]>([
  ['http on loopback for an issuer that is elsewhere', false, 'http://127.0.0.1:PORT/token'],
  ['http to another host, named by a loopback issuer', true, 'http://id.example.com/token'],
  ['an address with a user name', true, 'http://id.example.com@127.0.0.1:PORT/token'],
  ['a file', true, 'file:///etc/passwd'],
])('nothing is sent to %s', async (_name, loopbackHttp, url) => {
  const before = seen.length;
  const sending = fetchWith(loopbackHttp)(url.replace('PORT', String(port)), { method: 'GET', headers: {} });
  await expect(sending).rejects.toEqual(new HttpFailure('insecureAddress', false));
  await expect(sending).rejects.toMatchObject({ kind: 'insecureAddress', sent: false });
  expect(seen).toHaveLength(before);
});

test('a redirect is not followed, and only headers that mean something are kept', async () => {
  const before = seen.length;
  const answer = await fetchWith(true)(`http://127.0.0.1:${port}/token?a=b`, { method: 'GET', headers: {} });
  expect(answer.status).toBe(302);
  expect([...answer.headers.keys()]).toEqual(['content-type', 'location']);
  expect(seen.slice(before)).toEqual(['/token?a=b']);
});

test('a connection that is refused surely sent nothing', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', resolve);
  });
  const free = (other.address() as AddressInfo).port;
  await new Promise((resolve) => {
    other.close(resolve);
  });
  await expect(
    fetchWith(true)(`http://127.0.0.1:${free}/`, { method: 'POST', headers: {}, body: 'x' }),
  ).rejects.toMatchObject({ kind: 'connectionRefused', sent: false });
});

// Node closes such a connection without an "error" or "response" event.
test('an answer that wants to speak something else is none, and no one waits for more', async () => {
  const other = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    );
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const at = `http://127.0.0.1:${(other.address() as AddressInfo).port}/token`;
  try {
    await expect(
      fetchWith(true)(at, { method: 'POST', headers: {}, body: 'refresh_token=x' }),
    ).rejects.toMatchObject({ kind: 'broken', sent: true });
  } finally {
    other.close();
  }
});

/** (rule: realm-trust) */
test.each([
  ['an address', '127.0.0.1'],
  ['a name that resolves to it', 'localhost'],
])('nothing is sent to %s that is not allowed', async (_what, host) => {
  const before = seen.length;
  const asked: string[] = [];
  const allowsAddress = (address: string) => {
    asked.push(address);
    return false;
  };
  const limits = defaultHttpLimits;
  const fetch = createFetch({ certificateAuthorityPem: null, loopbackHttp: true, limits, allowsAddress });
  await expect(fetch(`http://${host}:${port}/`, { method: 'GET', headers: {} })).rejects.toMatchObject({
    kind: 'closedAddress',
    sent: false,
  });
  expect(seen).toHaveLength(before);
  expect(asked).not.toEqual([]);
  const other = createFetch({
    certificateAuthorityPem: null,
    loopbackHttp: true,
    limits,
    allowsAddress: (address) => ['127.0.0.1', '::1'].includes(address),
  });
  expect((await other(`http://${host}:${port}/`, { method: 'GET', headers: {} })).status).toBe(302);
});
