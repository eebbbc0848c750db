import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { baseEnvironment, type Running, start } from '../support/processes.ts';
import { Stage } from '../support/stage.ts';

const repository = join(import.meta.dirname, '..', '..');
let stage: Stage;
let browser: Browser;
let server: Running;
let address: URL;

beforeAll(async () => {
  stage = await Stage.open();
  browser = await launchChromium();
  const words = [join(repository, 'scripts', 'dev.ts'), '--broker', '--port', '0'];
  server = start(process.execPath, words, { env: { ...baseEnvironment(), ...stage.home.env } });
  const [line] = await server.waitForLine(/^http:.*/, 60_000);
  address = new URL(line);
});
afterAll(async () => {
  await server?.dispose();
  await browser?.close();
  await stage?.dispose();
});

/** The status of an attempt at a WebSocket to the broker; 101 is an open one. */
function upgrade(origin: string | null): Promise<number> {
  const asking = request(`${address.origin}/dev-broker`, {
    headers: {
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

test('the development server’s page reaches a real broker, and does again when it is loaded anew', async () => {
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

test('nothing of it is in the page that is built', () => {
  const folder = join(repository, 'dist', 'renderer');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(js|html)$/.test(file),
  );
  expect(files.length).toBeGreaterThan(1);
  expect(files.filter((file) => readFileSync(join(folder, file), 'utf8').includes('dev-broker'))).toEqual([]);
});
