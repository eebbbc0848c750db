import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeCodes } from '../../main/contract/ui/handshake.ts';
import { filesBelow, findCanaries } from '../support/canary.ts';
import { findKubectls } from '../support/kubectl.ts';
import { nodeForAnyone } from '../support/node-for-anyone.ts';
import { connectPage, openPage, type PageSecret, readAddress } from '../support/page-client.ts';
import { run } from '../support/processes.ts';
import { credentialIn, mustBeGood, Stage, until } from '../support/stage.ts';
import { createStandInBrowser } from '../support/stand-in-browser.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

let stage: Stage;
let kubeconfig: string;
let host: string;
let session: PageSecret;

const standIn = createStandInBrowser();

beforeAll(async () => {
  stage = await Stage.open({ agent: { env: standIn.env } });
  await stage.setSecrets();
  kubeconfig = await stage.writeKubeconfig();
  const first = readAddress(await invite());
  host = first.host;
  session = (await openPage(host, first.ticket)).session;
});
afterAll(async () => {
  await stage?.dispose();
  standIn.dispose();
});

async function invite(): Promise<string> {
  const done = await stage.lanyard(['ui', '--no-open']);
  mustBeGood(done);
  return done.stdout.trim();
}

const works = async () => expect(credentialIn(await stage.ask('bot')).token).toBe(stage.botToken);

/** A request as any program can make it. */
function ask(
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  const { hostname, port } = new URL(`http://${host}`);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    request.on('error', reject);
    request.end();
  });
}

describe('the page’s files', () => {
  test('are served with all that keeps a page to itself, and no cookie', async () => {
    const { status, headers, text } = await ask('/');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(
        `^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src ws://${host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      ),
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers['content-security-policy']).not.toContain('unsafe');
    const script = /src="\.(\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? '';
    expect(await ask(script)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/javascript; charset=utf-8', 'x-content-type-options': 'nosniff' },
    });
  });

  test.each([
    '/../vault',
    '/assets/../../vault',
    '/%2e%2e/vault',
    '/..%2fvault',
    '//etc/passwd',
    '/index.html/',
    '/assets',
    '/assets/',
    '/__proto__',
    '/constructor',
    'http://evil.example/',
    '*',
  ])('nothing else is: %s', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  test.each<[string, number, Record<string, string>, string?]>([
    ['a name that was led here', 421, { host: 'evil.example' }],
    ['another page', 403, { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
    ['a form', 405, {}, 'POST'],
  ])('asked for by %s: %i', async (_, status, headers, method = 'GET') => {
    const answer = await ask('/', { method, headers });
    expect([answer.status, answer.text.includes('<')]).toEqual([status, false]);
  });
});

describe('a WebSocket is rejected (rule: guarded-loopback)', () => {
  test.each<[string, number, Record<string, string>]>([
    ['of another port', 403, { origin: 'http://127.0.0.1:1' }],
    ['to another name', 421, { host: 'evil.example' }],
    ['from another site', 403, { 'sec-fetch-site': 'cross-site' }],
  ])('%s', async (_, status, headers) => {
    await expect(connectPage(host, headers)).rejects.toThrow(`status ${status}`);
    await works();
  });

  test('with a secret that was guessed, a hundred times', async () => {
    for (let count = 0; count < 100; count += 1) {
      const guess = { id: session.id, secret: randomBytes(32).toString('base64url') };
      await expect(openPage(host, guess)).rejects.toThrow(`closed with ${closeCodes.notLetIn}`);
    }
    await works();
  });
});

describe('a page that was accepted is closed, and the broker keeps running', () => {
  test.each<[string, string]>([
    ['a broken text', '{"kind":'],
    ['a kind that there isn’t', '{"kind":"unlock"}'],
    ['a list', '[]'],
    ['a call without a number', '{"kind":"call","name":"lock.close","input":{}}'],
    ['a very deep one', `${'['.repeat(500_000)}`],
  ])('for %s', async (_, message) => {
    const { page } = await openPage(host, session);
    page.socket.send(message);
    expect(await page.closed).toBe(closeCodes.broken);
    await works();
  });
});

test('connections that send nothing, or one byte at a time, are dropped and block no one for long', async () => {
  const { hostname, port } = new URL(`http://${host}`);
  const text = `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Slow: ${'x'.repeat(5_000)}`;
  const sockets = await Promise.all(
    Array.from({ length: 64 }, (_, index) => {
      return new Promise<Socket>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => resolve(socket));
        socket.on('error', reject);
        socket.resume();
        if (index % 2 === 0) {
          let at = 0;
          const timer = setInterval(() => socket.write(text[at++] ?? ''), 50);
          socket.on('close', () => clearInterval(timer));
        }
        socket.on('error', () => undefined);
      }).catch(() => null);
    }),
  );
  await works();
  await Promise.all(
    sockets.map((socket) => socket && !socket.destroyed && new Promise((end) => socket.once('close', end))),
  );
  const { page } = await openPage(host, session);
  await page.until('snapshot');
});

test.runIf(isRoot)('another user of the machine hears not a byte, also with a ticket', async () => {
  const { ticket } = readAddress(await invite());
  const { port } = new URL(`http://${host}`);
  const program = `
    const socket = require('node:net').connect(${port}, '127.0.0.1');
    let heard = 0;
    socket.on('data', (piece) => (heard += piece.length));
    socket.on('error', () => undefined);
    socket.on('close', () => console.log('heard', heard));
    socket.write('GET / HTTP/1.1\\r\\nHost: ${host}\\r\\nOrigin: http://${host}\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\\r\\n\\r\\n');`;
  chmodSync(stage.home.outside, 0o755);
  try {
    const node = nodeForAnyone(stage.home.outside);
    const done = await run(node, ['-e', program], { uid: nobody, gid: nobody, cwd: '/' });
    expect(done.stdout).toBe('heard 0\n');
    // The same by this user is answered: the check above is no accident.
    expect((await run(node, ['-e', program])).stdout).not.toBe('heard 0\n');
  } finally {
    chmodSync(stage.home.outside, 0o700);
  }
  await openPage(host, ticket);
});

test('no secret in the log, nor in any file of the home but the vault', async () => {
  const { ticket } = readAddress(await invite());
  const entered = await openPage(host, ticket);
  const canaries = [
    { name: 'ticket', value: ticket.secret },
    { name: 'ticket id', value: ticket.id },
    { name: 'session', value: entered.session.secret },
  ];
  const log = { where: 'log', bytes: Buffer.from(stage.agentLogs()) };
  expect(findCanaries(canaries, [log, ...filesBelow(stage.home.path)])).toEqual([]);
});

test('whatever was tried, kubectl is served, and so is the page', async () => {
  const { newest } = findKubectls();
  const args = ['--context', 'prod-bot', 'get', 'pods'];
  mustBeGood(await stage.kubectl(newest, kubeconfig, args));
  const { page } = await openPage(host, session);
  await page.until('snapshot');
});

describe('lanyard ui', () => {
  test('opens a file that only this user can read, with an address that no one else gets', async () => {
    const done = await stage.lanyard(['ui']);
    mustBeGood(done);
    expect(done.stdout).toBe('');
    const file = stage.home.file('uiRedirect');
    await until(() => standIn.opened()[0] ?? null, 'the browser');
    expect(standIn.opened()).toEqual([file]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const address = /url=(http[^"]+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
    const { host: there, ticket } = readAddress(address);
    expect(programsTold(ticket.secret)).toEqual([]);
    await openPage(there, ticket);
    await until(() => (existsSync(file) ? null : true), 'the file’s end');
    const log = { where: 'log', bytes: Buffer.from(`${stage.agentLogs()}${done.stderr}`) };
    const secret = { name: 'ticket', value: ticket.secret };
    expect(findCanaries([secret], [log, ...filesBelow(stage.home.path)])).toEqual([]);
  });

  test('leaves no file behind after a kill, nor when the broker stops', async () => {
    const file = stage.home.file('uiRedirect');
    mustBeGood(await stage.lanyard(['ui']));
    await stage.agent.kill();
    expect(existsSync(file)).toBe(true);
    await stage.startAgent();
    expect(existsSync(file)).toBe(false);
    mustBeGood(await stage.lanyard(['ui']));
    expect(existsSync(file)).toBe(true);
    await stage.agent.stop();
    expect(existsSync(file)).toBe(false);
  });
});

/** The programs of this machine in whose arguments or environment it stands. */
function programsTold(secret: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) =>
      ['cmdline', 'environ'].some((file) => {
        try {
          return readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(secret);
        } catch {
          return false;
        }
      }),
    );
}
