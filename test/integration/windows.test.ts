import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBrowserHost } from '../../main/consent/windows/browser-host.ts';
import type { WindowHost } from '../../main/consent/windows/window-host.ts';
import type { Fields, WindowKind } from '../../main/consent/windows/window-kind.ts';
import { createWindows, type Windows } from '../../main/consent/windows/windows.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** The broker's own window against whoever else is on this machine: programs, and pages in the same browser. */

let clock: ManualClock;
let windows: Windows;
let host: WindowHost;
let opened: string[];
let taken: Fields[];
let refused: number;
let over: string | null;
let log: string[];

beforeEach(() => {
  clock = new ManualClock();
  [opened, taken, log] = [[], [], []];
  [refused, over] = [0, null];
  const say = (event: string, fields?: object) => void log.push(`${event} ${JSON.stringify(fields)}`);
  host = createBrowserHost({
    clock,
    log: { debug: say, info: say, warn: say, error: say },
    browser: { available: () => true },
    lookUpPeer: async () => 'own',
    redirect: {
      open: async (address) => {
        opened.push(address);
        return true;
      },
    },
  });
  windows = createWindows({
    clock,
    log: { debug: say, info: say, warn: say, error: say },
    person: { ask: async () => 'unasked' },
    host,
  });
});
afterEach(() => {
  void windows.dispose();
  void host.dispose();
});

const kind = (more: Partial<WindowKind> = {}): WindowKind => ({
  title: 'Test',
  content: {
    heading: 'Take <b>this</b>?',
    text: [],
    fields: [{ name: 'secret', label: 'Secret', kind: 'password' }],
    yes: 'Take',
    no: 'Leave',
  },
  over: async () => over,
  submit: async (fields) => {
    taken.push(fields);
    return fields['secret']?.reveal() === 'wrong'
      ? { kind: 'again', fault: 'That was wrong.' }
      : { kind: 'done', good: true, heading: 'Taken', text: [] };
  },
  refuse: async () => {
    refused++;
    return { kind: 'done', good: false, heading: 'Not taken', text: [] };
  },
  ...more,
});

interface Answer {
  status: number;
  body: string;
  headers: Record<string, unknown>;
}

function ask(
  address: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const url = new URL(address);
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const asked = httpRequest(
      {
        host: '127.0.0.1',
        port: url.port,
        path: url.pathname + url.search,
        method,
        headers: { host: url.host, ...headers },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }),
        );
        response.on('error', reject);
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

const form = 'application/x-www-form-urlencoded';
/** After the second in which nobody can have read it. */
function post(address: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  clock.advance(1_000);
  return postAtOnce(address, fields, headers);
}
function postAtOnce(address: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const { origin } = new URL(address);
  return ask(address, {
    method: 'POST',
    headers: { 'content-type': form, origin, 'sec-fetch-site': 'same-origin', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}
const tokenIn = ({ body }: Answer) => /name="token" value="([^"]+)"/.exec(body)?.[1] ?? '';

async function open(more: Partial<WindowKind> = {}) {
  await windows.open(kind(more), 'lanyard confirm');
  return opened.at(-1) ?? '';
}

test('is shown once, without a script, a cookie or a way to frame it; text stays text', async () => {
  const address = await open();
  const first = await ask(address);
  expect(first.status).toBe(200);
  expect(first.body).toContain('Take &lt;b&gt;this&lt;/b&gt;?');
  expect(first.body).not.toMatch(/<script|onclick|javascript:/i);
  expect(first.headers).toMatchObject({
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    ),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
  });
  expect(first.headers['set-cookie']).toBeUndefined();
  const second = await ask(address);
  expect([second.status, tokenIn(second)]).toEqual([410, '']);
});

test.each<[string, Record<string, string>, number]>([
  ['another name for this machine', { host: 'localhost:1' }, 421],
  ['a name that was made to point here', { host: 'evil.example' }, 421],
  ['a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }, 403],
  ['a script of another page', { origin: 'http://127.0.0.1:1', 'sec-fetch-mode': 'cors' }, 403],
])('is not shown to %s, and that uses nothing up', async (_, headers, status) => {
  const address = await open();
  expect((await ask(address, { headers })).status).toBe(status);
  expect((await ask(address)).status).toBe(200);
});

test('a guessed path, and other methods, find nothing (rule: guarded-loopback)', async () => {
  const address = await open();
  const { origin } = new URL(address);
  for (const path of ['/', '/favicon.ico', `/${'A'.repeat(43)}`, `${new URL(address).pathname}?x`]) {
    expect((await ask(origin + path)).status).toBe(404);
  }
  for (const method of ['HEAD', 'PUT', 'OPTIONS', 'DELETE']) {
    expect((await ask(address, { method })).status).toBe(405);
  }
});

test.each<[string, Record<string, string>]>([
  ['another port’s page', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
  ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['a page of another site that says our Origin', { 'sec-fetch-site': 'cross-site' }],
  ['a script of a page', { 'sec-fetch-mode': 'cors' }],
])('an answer from %s is not taken, though it knew address and token', async (_, headers) => {
  const address = await open();
  const token = tokenIn(await ask(address));
  expect((await post(address, { token, answer: 'yes' }, headers)).status).toBe(403);
  expect([taken, refused]).toEqual([[], 0]);
  expect((await post(address, { token, answer: 'yes' })).body).toContain('Taken');
});

test('an answer counts once; a wrong or missing token, and a replay, count nothing', async () => {
  const address = await open();
  const token = tokenIn(await ask(address));
  expect((await post(address, { answer: 'yes' })).status).toBe(403);
  expect((await post(address, { token: 'A'.repeat(43), answer: 'yes' })).status).toBe(403);
  expect((await post(address, { token, answer: 'no' })).body).toContain('Not taken');
  expect((await post(address, { token, answer: 'yes' })).status).toBe(410);
  expect([taken, refused, windows.view()]).toEqual([[], 1, null]);
});

test('a yes within a second of its showing, as by a click that was meant for another page, is not taken', async () => {
  const address = await open();
  const token = tokenIn(await ask(address));
  clock.advance(999);
  // No new page: what was typed stays.
  expect(await postAtOnce(address, { token, answer: 'yes' })).toMatchObject({ status: 204, body: '' });
  expect(taken).toEqual([]);
  expect((await post(address, { token, answer: 'yes' })).body).toContain('Taken');
});

test('a no counts at once; so does what is typed and sent by Enter', async () => {
  const address = await open();
  await postAtOnce(address, { token: tokenIn(await ask(address)), answer: 'no' });
  expect(refused).toBe(1);
  const typed = await open({ content: { ...kind().content, enter: 'yes' } });
  expect((await postAtOnce(typed, { token: tokenIn(await ask(typed)), answer: 'yes' })).body).toContain(
    'Taken',
  );
});

test('what was mistyped is asked for again with a new token, and stands nowhere', async () => {
  const address = await open();
  const token = tokenIn(await ask(address));
  const again = await post(address, { token, answer: 'yes', secret: 'wrong' });
  expect(again.body).toContain('That was wrong.');
  expect(again.body).not.toContain('value="wrong"');
  expect((await post(address, { token, answer: 'yes' })).status).toBe(403);
  const next = tokenIn(again);
  expect((await post(address, { token: next, answer: 'yes', secret: 'canary+ä&=' })).body).toContain('Taken');
  expect(taken.at(-1)?.['secret']?.reveal()).toBe('canary+ä&=');
  expect(JSON.stringify(taken) + log.join()).not.toContain('canary');
});

test.each<[string, Record<string, string>, string, number]>([
  ['too large', {}, `token=${'x'.repeat(300_000)}`, 413],
  ['no form', { 'content-type': 'text/plain' }, 'token=x', 415],
  ['JSON', { 'content-type': 'application/json' }, '{}', 415],
  ['one field twice', {}, 'token=x&token=y', 413],
])('a body that is %s is rejected', async (_, headers, body, status) => {
  const address = await open();
  await ask(address);
  const { origin } = new URL(address);
  const answered = await ask(address, {
    method: 'POST',
    headers: { 'content-type': form, origin, ...headers },
    body,
  }).then(
    (answer) => answer.status,
    () => status, // the connection may be gone before all was sent
  );
  expect(answered).toBe(status);
  expect(taken).toEqual([]);
});

test('one that never ends its body blocks no other', async () => {
  const address = await open();
  const { port, pathname, host } = new URL(address);
  const slow = connect(Number(port), '127.0.0.1');
  slow.on('error', () => undefined);
  slow.write(
    `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: ${form}\r\nContent-Length: 9\r\n\r\na`,
  );
  expect((await ask(address)).status).toBe(200);
  slow.destroy();
});

test('what changed since it was shown is not taken', async () => {
  const address = await open();
  const token = tokenIn(await ask(address));
  over = 'It has changed.';
  expect((await post(address, { token, answer: 'yes' })).body).toContain('It has changed.');
  expect([taken, windows.view()]).toEqual([[], null]);
});

test('it closes when a check finds a change, and says so to a user who answers', async () => {
  const address = await open();
  const token = tokenIn(await ask(address));
  over = 'It has changed.';
  const closed = new Promise<void>((resolve) => windows.onChange(resolve));
  windows.look();
  await closed;
  expect(windows.view()).toBeNull();
  const late = await post(address, { token, answer: 'yes' });
  expect([late.status, late.body.includes('It has changed.'), taken.length]).toEqual([410, true, 0]);
});

test('five minutes are its end, and after one more nothing listens', async () => {
  const address = await open();
  const token = tokenIn(await ask(address));
  clock.advance(5 * 60_000);
  expect(windows.view()).toBeNull();
  expect((await post(address, { token, answer: 'yes' })).status).toBe(410);
  clock.advance(60_000);
  await expect(ask(address)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect([taken, clock.pending]).toEqual([[], 0]);
});

test('a second one ends the first, at another address', async () => {
  const first = await open();
  const token = tokenIn(await ask(first));
  const second = await open();
  expect(new URL(second).port).not.toBe(new URL(first).port);
  expect((await post(first, { token, answer: 'yes' })).status).toBe(410);
  expect((await ask(second)).status).toBe(200);
  expect([taken, windows.view()?.title]).toEqual([[], 'Test']);
});

test('a page that opens one after the other soon opens none, and what is open stays', async () => {
  for (let count = 0; count < 12; count += 1) {
    await open();
  }
  await expect(open()).rejects.toMatchObject({
    code: 'window.none',
    hint: expect.stringContaining('confirm'),
  });
  expect([opened.length, windows.view()?.title]).toEqual([12, 'Test']);
  clock.advance(5_000);
  await open();
});

test('without a display it names the terminal’s line, and nothing listens', async () => {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const browser = { available: () => false };
  const none = createWindows({
    clock,
    log,
    person: { ask: async () => 'unasked' },
    host: createBrowserHost({
      clock,
      log,
      browser,
      lookUpPeer: async () => 'own',
      redirect: { open: async () => true },
    }),
  });
  await expect(none.open(kind(), 'lanyard confirm')).rejects.toMatchObject({
    code: 'window.none',
    hint: 'run in a terminal: lanyard confirm',
  });
  expect(none.view()).toBeNull();
});
