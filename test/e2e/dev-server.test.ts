import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeForAnyone } from '../support/node-for-anyone.ts';
import { baseEnvironment, type Running, run, start } from '../support/processes.ts';
import { Stage } from '../support/stage.ts';
import { sharedChromium } from './support/shared-chromium.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const repository = join(import.meta.dirname, '..', '..');
const script = join(repository, 'scripts', 'dev.ts');
let stage: Stage;
let browser: Browser;
let server: Running;
let address: URL;

beforeAll(async () => {
  stage = await Stage.open();
  browser = await sharedChromium();
  server = start(process.execPath, [script, '--broker', '--port', '0'], {
    env: { ...baseEnvironment(), ...stage.home.env },
  });
  const [line] = await server.waitForLine(/^http:.*/, 120_000);
  address = new URL(line);
});
afterAll(async () => {
  await server?.dispose();
  await stage?.dispose();
});

/** The status of an attempt at a WebSocket to the broker; 101 is an open one. */
function upgrade(origin: string | null, host = address.host): Promise<number> {
  const asking = request(`${address.origin}/dev-broker`, {
    headers: {
      host,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
      ...(origin === null ? {} : { origin }),
    },
  });
  return new Promise((resolve, reject) => {
    asking.once('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolve(statusCode);
    });
    asking.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asking.once('error', reject);
    asking.end();
  });
}

test('the development server’s page reaches a real broker, and does again after a reload', async () => {
  expect(address.hostname).toBe('127.0.0.1');
  const page = await browser.newPage();
  await page.goto(address.href);
  const cluster = page.getByRole('row', { name: /prod/ }).first();
  await cluster.waitFor();
  await page.reload();
  await cluster.waitFor();
  await page.close();
});

test.each([
  ['its own page', () => address.origin, 101],
  ['another page', () => 'http://evil.example', 404],
  ['what names no page', () => null, 404],
])('a WebSocket to the broker: %s', async (_, origin, status) => {
  expect(await upgrade(origin())).toBe(status);
});

test.each([
  ['another name for this machine', () => `localhost:${address.port}`],
  ['a name that was made to point here', () => `evil.example:${address.port}`],
  ['another port', () => address.hostname],
])('a WebSocket to the broker, for another Host: %s', async (_, host) => {
  expect(await upgrade(address.origin, host())).toBe(404);
});

test.runIf(isRoot)('another user of the machine gets no WebSocket to the broker', async () => {
  const program = `
    const socket = require('node:net').connect(${address.port}, '127.0.0.1');
    socket.once('data', (piece) => {
      console.log(piece.toString().split('\\r\\n')[0]);
      socket.destroy();
    });
    socket.write('GET /dev-broker HTTP/1.1\\r\\nHost: ${address.host}\\r\\nOrigin: ${address.origin}\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\\r\\n\\r\\n');`;
  chmodSync(stage.home.outside, 0o755);
  try {
    const node = nodeForAnyone(stage.home.outside);
    const done = await run(node, ['-e', program], { uid: nobody, gid: nobody, cwd: '/' });
    expect(done.stdout).toBe('HTTP/1.1 404 Not Found\n');
    // The same by this user is let in: the check above is no accident.
    expect((await run(node, ['-e', program])).stdout).toBe('HTTP/1.1 101 Switching Protocols\n');
  } finally {
    chmodSync(stage.home.outside, 0o700);
  }
});

/** What a page of another origin is answered. */
async function asked(path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ host: address.hostname, port: address.port, path, headers: { origin: 'http://localhost:9999' } })
      .once('response', (response) => resolve(response.resume()))
      .once('error', reject);
  });
}

test('nothing of the repository is served but what the page is made of, and to no other origin', async () => {
  // As the home of `npm run dev:agent`: a vault’s passphrase, and a socket.
  mkdirSync(join(repository, '.cache'), { recursive: true });
  const home = mkdtempSync(join(repository, '.cache', 'dev-'));
  const socket = createServer();
  try {
    writeFileSync(join(home, 'passphrase'), 'for the owner alone');
    await new Promise<void>((resolve) => socket.listen(relative('', join(home, 's.sock')), resolve));
    const secret = join(home, 'passphrase');
    const round = join(repository, 'renderer', '%2e%2e', relative(repository, secret));
    const others = [join(repository, 'package.json'), join(repository, 'scripts', 'dev.ts')];
    const refused = [
      ...[secret, round, ...others].flatMap((file) => [`/@fs${file}`, `/@fs/${file}`, `/@fs${file}?raw`]),
      ...['?import&raw', '?url', '?inline', '?import&url&inline'].map((query) => `/@fs${secret}${query}`),
      `/@fs${join(home, 's.sock')}`,
    ];
    for (const path of refused) {
      const { statusCode, headers } = await asked(path);
      expect([path, statusCode, headers['access-control-allow-origin']]).toEqual([path, 403, undefined]);
    }
    for (const path of ['/main.ts', `/@fs${join(repository, 'main', 'contract', 'ui', 'state.ts')}`]) {
      const { statusCode, headers } = await asked(path);
      expect([path, statusCode, headers['access-control-allow-origin']]).toEqual([path, 200, undefined]);
    }
    expect(server.isRunning()).toBe(true);
  } finally {
    await new Promise((resolve) => socket.close(resolve));
    rmSync(home, { recursive: true });
  }
});

test.each(['1e3', '65536'])('not a port: “%s”', async (port) => {
  const done = await run(process.execPath, [script, `--port=${port}`]);
  expect(done.code).toBe(2);
  expect(done.stderr).toContain(`--port: “${port}” is not a port: give a number from 0 to 65535`);
});

test('nothing of it is in the page that is built', () => {
  const folder = join(repository, 'dist', 'renderer');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(js|html)$/.test(file),
  );
  expect(files.length).toBeGreaterThan(1);
  expect(files.filter((file) => readFileSync(join(folder, file), 'utf8').includes('dev-broker'))).toEqual([]);
});
