import { createHash } from 'node:crypto';
import http2 from 'node:http2';
import https, { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCa, issueServerCertificate } from '../certificates.ts';
import { type SignedFront, startSignedFront } from './signed-front.ts';
import { signWithSmithy } from './smithy.ts';

/** The front itself: what passes it, and what the server behind it gets. */
const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'not-a-real-key' };
let server: Server;
let front: SignedFront;

beforeAll(async () => {
  const ca = await createCa('behind');
  const { certificatePem: cert, keyPem: key } = await issueServerCertificate(ca, ['127.0.0.1']);
  server = createServer({ cert, key }, async (request, response) => {
    const body = (await request.toArray()).join('');
    response.end(`${request.method} ${request.url} ${request.headers.authorization} ${body}`);
  });
  server.on('upgrade', (request, socket) => {
    socket.end(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\n\r\nbegun`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  front = await startSignedFront(
    'apiGateway',
    {
      server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      caPem: ca.certificatePem,
      token: 'own',
    },
    { region: 'eu-west-1', keys: [keys], now: () => new Date() },
  );
});
afterAll(async () => {
  await front?.dispose();
  server?.close();
  server?.closeAllConnections();
});

async function signed(method: string, target: string, body = ''): Promise<Record<string, string>> {
  const headers = {
    host: new URL(front.server).host,
    'x-amz-date': new Date().toISOString().replace(/[-:]|\.\d+/g, ''),
    'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
  };
  const { authorization } = await signWithSmithy(
    { method, target, headers: Object.entries(headers) },
    {
      ...{ region: 'eu-west-1', service: 'execute-api', accessKeyId: keys.accessKeyId },
      ...{ signedHeaders: Object.keys(headers).sort(), date: '', signature: '' },
    },
    keys,
  );
  return { ...headers, authorization };
}

const ask = (method: string, target: string, headers: Record<string, string>, body = '') =>
  new Promise<string>((resolve, reject) => {
    const request = https.request(new URL(target, front.server), { method, headers, ca: front.caPem });
    request.on('response', async (answer) => resolve((await answer.toArray()).join('')));
    request.on('upgrade', async (_, socket, begun) => {
      socket.unshift(begun);
      resolve((await socket.toArray()).join(''));
    });
    request.on('error', reject);
    request.end(body);
  });

test('HTTP/1.1: what is signed passes, with the front’s own credential', async () => {
  expect(await ask('GET', '/a?b=c', await signed('GET', '/a?b=c'))).toBe('GET /a?b=c Bearer own ');
  expect(await ask('POST', '/a', await signed('POST', '/a', '{}'), '{}')).toBe('POST /a Bearer own {}');
  expect(await ask('POST', '/a', await signed('POST', '/a', '{}'), '[]')).toContain('does not match');
});

test.each(['websocket', 'SPDY/3.1'])('an upgrade to %s', async (upgrade) => {
  const headers = await signed('GET', '/exec');
  expect(await ask('GET', '/exec', { ...headers, connection: 'Upgrade', upgrade })).toBe('begun');
  const unsigned = { connection: 'Upgrade', upgrade };
  expect(await ask('GET', '/exec', unsigned)).toBe('{"message":"Missing Authentication Token"}');
});

test('HTTP/2', async () => {
  const client = http2.connect(front.server, { ca: front.caPem });
  const { host, ...headers } = await signed('GET', '/a');
  const request = client.request({ ':path': '/a', ':authority': host, ...headers });
  expect((await request.toArray()).join('')).toBe('GET /a Bearer own ');
  client.close();
});
