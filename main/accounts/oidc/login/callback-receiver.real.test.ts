import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { nodeForAnyone } from '../../../../test/support/node-for-anyone.ts';
import { unless } from '../../../../test/support/unless.ts';
import { Disposables } from '../../../base/disposables.ts';
import { Secret } from '../../../base/secret.ts';
import type { RedirectPlace } from '../../../domain/login/redirect-address.ts';
import { createSystemClock } from '../../../platform/native/system-clock.ts';
import { createPeerLookup, lookingUser } from '../../../platform/network/peer-user.ts';
import { openCallbackReceiver } from './callback-receiver.ts';
import { LateTabs } from './late-tabs.ts';

let opened = new Disposables();
afterEach(async () => {
  await opened.dispose();
  opened = new Disposables();
});

const clock = createSystemClock({ boottimeMilliseconds: () => performance.now() });
const lookUpPeer = createPeerLookup({ kernel: null, clock, uid: lookingUser() });
const anyPort: RedirectPlace = { host: null, path: '/callback/abc', ports: [] };
const expected = { state: new Secret('the-state'), issuer: 'https://id.example', issuerRequired: false };

async function open(place: Partial<RedirectPlace> = {}, lateTabs = opened.add(new LateTabs(clock))) {
  const receiver = await openCallbackReceiver({ ...anyPort, ...place }, expected, lookUpPeer, lateTabs);
  return receiver && opened.add(receiver);
}

async function mustOpen(place: Partial<RedirectPlace> = {}, lateTabs?: LateTabs) {
  const receiver = await open(place, lateTabs);
  if (!receiver) {
    throw new Error('no port');
  }
  const { port } = new URL(receiver.redirectUri);
  return { receiver, port: Number(port) };
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

function get(
  address: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {} } = options;
    const outgoing = request(address, { method, headers, agent: false }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        body += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
    });
    outgoing.on('error', reject).end(options.body);
  });
}

/** Asks, and doesn't wait for the page. */
function leave(address: string): void {
  get(address).catch(() => undefined);
}

/** Holds a port of one address; null where this machine has no such address. */
function hold(host: string, port = 0): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRNOTAVAIL' ? resolve(null) : reject(error),
    );
    server.listen({ host, port, exclusive: true }, () => {
      opened.add({ dispose: () => void server.close() });
      resolve(server);
    });
  });
}

const portOf = (server: Server | null) => (server?.address() as { port: number } | undefined)?.port ?? 0;

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

const hasIpv6 = (await hold('::1')) !== null;

describe('where it listens', () => {
  test('on both loopback addresses, with one port and the issuer’s path', async () => {
    const { receiver, port } = await mustOpen();
    expect(receiver.redirectUri).toBe(`http://127.0.0.1:${port}/callback/abc`);
    expect(await listens('127.0.0.1', port)).toBe(true);
    expect(await listens('::1', port)).toBe(hasIpv6);
  });

  test('at the first port of the list that can be had; null where all are taken', async () => {
    const taken = portOf(await hold('127.0.0.1'));
    const free = await hold('127.0.0.1');
    const next = portOf(free);
    expect(await open({ ports: [taken, next] })).toBeNull();
    await new Promise((resolve) => free?.close(resolve));
    const { receiver } = await mustOpen({ ports: [taken, next] });
    expect(receiver.redirectUri).toBe(`http://127.0.0.1:${next}/callback/abc`);
  });

  test(
    'as registered: [::1], or localhost only where no one else has its other address',
    unless(hasIpv6 ? null : 'no IPv6'),
    async () => {
      expect((await mustOpen({ host: '[::1]' })).receiver.redirectUri).toMatch(/^http:\/\/\[::1\]:\d+\//);
      const port = portOf(await hold('::1'));
      expect(await open({ host: 'localhost', ports: [port] })).toBeNull();
      expect(await listens('127.0.0.1', port)).toBe(false);
      expect((await mustOpen({ host: '127.0.0.1', ports: [port] })).port).toBe(port);
    },
  );

  test('no longer once it is disposed', async () => {
    const { receiver, port } = await mustOpen();
    await receiver.dispose();
    expect([await listens('127.0.0.1', port), await listens('::1', port)]).toEqual([false, false]);
  });

  const isOver = async (time: ManualClock, afterwards: (late: LateTabs) => unknown) => {
    const lateTabs = opened.add(new LateTabs(time));
    const { receiver, port } = await mustOpen({}, lateTabs);
    await receiver.finish({ status: 200, html: 'end' });
    await receiver.dispose();
    expect(await listens('127.0.0.1', port)).toBe(true);
    await afterwards(lateTabs);
    return !(await listens('127.0.0.1', port)) && !(await listens('::1', port));
  };

  test.each<[string, (late: LateTabs, time: ManualClock) => unknown]>([
    ['a minute', (_, time) => time.advance(60_000)],
    ['the end of the broker', (late) => late.dispose()],
  ])('for tabs that come late, until %s', async (_, afterwards) => {
    const time = new ManualClock();
    expect(await isOver(time, (late) => afterwards(late, time))).toBe(true);
  });

  test('for tabs that come late, until the next login, which can have the same port', async () => {
    const lateTabs = opened.add(new LateTabs(new ManualClock()));
    const { receiver, port } = await mustOpen({}, lateTabs);
    await receiver.finish({ status: 200, html: 'end' });
    expect((await mustOpen({ ports: [port] }, lateTabs)).port).toBe(port);
  });

  test('no longer where it is finished after the end of the broker', async () => {
    const lateTabs = new LateTabs(new ManualClock());
    const { receiver, port } = await mustOpen({}, lateTabs);
    await lateTabs.dispose();
    await receiver.finish({ status: 200, html: 'end' });
    expect(await listens('127.0.0.1', port)).toBe(false);
  });
});

const strict = {
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  connection: 'close',
  'content-security-policy': expect.stringContaining("default-src 'none'"),
};

describe('what it answers', () => {
  const answer = '/callback/abc?code=c&state=the-state';
  const origin = 'https://evil.example';
  test.each<[string, string, Parameters<typeof get>[1]]>([
    ['another path', '/favicon.ico', {}],
    ['the root', '/', {}],
    ['POST', answer, { method: 'POST', body: 'code=c&state=the-state' }],
    ['a foreign host', answer, { headers: { host: 'evil.example' } }],
    ['a page’s script', answer, { headers: { origin } }],
    ['a preflight', '/callback/abc', { method: 'OPTIONS', headers: { origin } }],
  ])('404 without a word for %s, and it waits on', async (_name, path, options) => {
    const { receiver, port } = await mustOpen();
    const answer = await get(`http://127.0.0.1:${port}${path}`, options);
    expect(answer).toMatchObject({ status: 404, body: '', headers: strict });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    const first = get(`${receiver.redirectUri}?code=right&state=the-state`);
    expect(await receiver.callback).toMatchObject({ kind: 'code' });
    await receiver.finish({ status: 200, html: 'end' });
    expect((await first).body).toBe('end');
  });

  test('a plain page for a wrong or missing state, and it waits on', async () => {
    const { receiver } = await mustOpen();
    for (const query of ['', '?code=c', '?code=c&state=wrong', '?error=access_denied&state=wrong']) {
      const answer = await get(`${receiver.redirectUri}${query}`);
      expect(answer).toMatchObject({ status: 400, headers: strict });
      expect(answer.body).toContain('not the login that Lanyard waits for');
    }
    leave(`${receiver.redirectUri}?error=access_denied&state=the-state`);
    expect(await receiver.callback).toMatchObject({ kind: 'error', error: 'access_denied' });
  });

  test('a query without end is cut off, and it waits on', async () => {
    const { receiver } = await mustOpen();
    const huge = await get(`${receiver.redirectUri}?code=${'x'.repeat(200_000)}&state=the-state`).catch(
      (error: NodeJS.ErrnoException) => ({ status: error.code }),
    );
    expect([431, 'EPIPE', 'ECONNRESET']).toContain(huge.status);
    leave(`${receiver.redirectUri}?code=${'x'.repeat(30_000)}&state=the-state`);
    expect(await receiver.callback).toMatchObject({ kind: 'code' });
  });

  test('the first answer counts; a second one sees the same end', async () => {
    const { receiver } = await mustOpen();
    const first = get(`${receiver.redirectUri}?code=first&state=the-state`);
    const callback = await receiver.callback;
    const second = get(
      `http://127.0.0.1:${new URL(receiver.redirectUri).port}/callback/abc?code=second&state=the-state`,
    );
    // Until the second one waits too, the page has not been sent to anybody.
    await expect
      .poll(() => get(`${receiver.redirectUri}?state=wrong`).then(({ status }) => status))
      .toBe(400);
    await receiver.finish({ status: 200, html: '<p>end</p>' });
    for (const answer of [await first, await second]) {
      expect(answer).toMatchObject({ status: 200, body: '<p>end</p>', headers: strict });
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    }
    expect(callback.kind === 'code' && callback.code.reveal()).toBe('first');
  });

  test('a browser that is gone, or does not read, holds nothing up', async () => {
    const lateTabs = opened.add(new LateTabs(new ManualClock()));
    const { receiver, port } = await mustOpen({}, lateTabs);
    const socket = connect({ host: '127.0.0.1', port });
    socket.write(`GET /callback/abc?code=c&state=the-state HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
    await receiver.callback;
    const silent = connect({ host: '127.0.0.1', port });
    await new Promise((resolve) => silent.once('connect', resolve));
    socket.destroy();
    await receiver.finish({ status: 200, html: 'end' });
    const closed = new Promise((resolve) => silent.once('close', resolve));
    await lateTabs.end();
    await closed;
    expect(await listens('127.0.0.1', port)).toBe(false);
  });
});

describe.runIf(process.platform === 'linux' && process.geteuid?.() === 0)(
  'another user of the machine',
  () => {
    const nobody = 65_534;
    const asks = `const { request } = require('node:http');
    const outgoing = request(process.argv[1], { agent: false }, ({ statusCode }) => console.log('answer', statusCode));
    outgoing.on('error', ({ code }) => console.log(code)).end();`;

    // The state is in the argv of the browser’s opener, which any user may read.
    test('is not heard, whatever they know of the login', async () => {
      const { receiver, port } = await mustOpen();
      const folder = mkdtempSync(join(tmpdir(), 'ly-other-'));
      chmodSync(folder, 0o755);
      opened.add({ dispose: () => rmSync(folder, { recursive: true }) });
      const node = nodeForAnyone(folder);
      let heard = false;
      void receiver.callback.then(() => {
        heard = true;
      });
      for (const host of ['127.0.0.1', '[::1]']) {
        const stranger = spawn(
          node,
          ['-e', asks, `http://${host}:${port}/callback/abc?state=the-state&error=access_denied`],
          { uid: nobody, gid: nobody, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] },
        );
        let said = '';
        stranger.stdout.setEncoding('utf8').on('data', (text: string) => {
          said += text;
        });
        await once(stranger, 'close');
        expect(said).toMatch(/^E[A-Z]+\n$/);
      }
      expect(heard).toBe(false);
      leave(`${receiver.redirectUri}?state=the-state&code=mine`);
      expect(await receiver.callback).toMatchObject({ kind: 'code' });
    });
  },
);
