import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Frame, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallInput } from '../../main/contract/ui/calls/index.ts';
import { findCanaries } from '../support/canary.ts';
import { nodeForAnyone } from '../support/node-for-anyone.ts';
import { openPage, type PageClient, readAddress } from '../support/page-client.ts';
import { run } from '../support/processes.ts';
import { until } from '../support/stage.ts';
import { expectNotInPage } from './support/heap.ts';
import { pressWhenRead } from './support/press-when-read.ts';
import { openUiHome, type UiHome } from './support/ui-stage.ts';

/**
 * The broker's own windows in a real browser, against a page of another port that knows all that there is to know, and a
 * page of the UI that was taken over. Secrets are typed there, and must be nowhere else.
 */

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const passphrase = `passphrase-${randomBytes(18).toString('hex')}`;
const token = `token-${randomBytes(18).toString('hex')}`;
const config = {
  version: 1,
  accounts: { bot: { staticToken: {} } },
  clusters: { prod: { server: 'https://127.0.0.1:6443', account: 'bot' } },
};

let ui: UiHome;
let context: BrowserContext;
let server: Server;
let evil: Page;
/** A page of the UI as any, that is open all the while. */
let witness: Page;
/** The page that was taken over: what it is told, and a way to make any call. */
let taken: PageClient;
const told: string[] = [];
let calls = 0;

beforeAll(async () => {
  server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>evil</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ui = await openUiHome({ config, withoutVault: true });
  witness = (await ui.openPage()).page;
  taken = await takeOver();
  context = await ui.browser.newContext();
  evil = await context.newPage();
  await evil.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await context?.close();
  await ui?.dispose();
});

async function takeOver(): Promise<PageClient> {
  const { host, ticket } = readAddress(await ui.address());
  const { page } = await openPage(host, ticket);
  page.socket.on('message', (data) => told.push(String(data)));
  return page;
}

/** What becomes of any call. */
async function call(name: string, input: object): Promise<Record<string, unknown>> {
  calls += 1;
  const id = calls;
  taken.send({ kind: 'call', id, name, input });
  for (;;) {
    const message = await taken.next();
    if (message['id'] === id && message['kind'] !== 'progress') {
      return message;
    }
  }
}

/** What `window.open` brings about: the address that the browser is led to, which no page is told. */
async function openWindow(wanted: CallInput<'window.open'>): Promise<string> {
  const { address: file } = await ui.whatOpens(() => {
    calls += 1;
    taken.send({ kind: 'call', id: calls, name: 'window.open', input: wanted });
  });
  const [, address] = /url=([^"]+)"/.exec(readFileSync(fileURLToPath(file), 'utf8')) ?? [];
  return address ?? '';
}

async function show(address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

test('before the vault is made, a page changes nothing that would count as approved with it (rule: approval-outside-page)', async () => {
  const before = readFileSync(ui.home.file('config'), 'utf8');
  const entry = { server: 'https://evil.example', account: 'bot' };
  for (const [name, input] of [
    ['entry.set', { kind: 'cluster', name: 'evil', isNew: true, entry }],
    ['entry.set', { kind: 'cluster', name: 'prod', isNew: false, entry }],
    ['settings.set', { name: 'lock', value: { afterIdle: '365d' } }],
    ['account.save', { name: 'mine', isNew: true, kind: 'staticToken', set: {}, unset: [] }],
  ] as const) {
    expect(await call(name, input)).toMatchObject({ kind: 'failed', failure: { reason: 'locked' } });
  }
  expect(readFileSync(ui.home.file('config'), 'utf8')).toBe(before);
});

test('the first vault is made in a window, once both passphrases are the same', async () => {
  const window = await show(await openWindow({ what: 'unlock' }));
  await window.getByLabel('New passphrase').fill(passphrase);
  await window.getByLabel('Confirm passphrase').fill('another one');
  await window.keyboard.press('Enter');
  await window.getByRole('alert').waitFor();
  expect(await window.content()).not.toContain(passphrase);
  await window.getByLabel('New passphrase').fill(passphrase);
  await window.getByLabel('Confirm passphrase').fill(passphrase);
  await window.keyboard.press('Enter');
  await window.getByRole('heading', { name: 'Vault created' }).waitFor();
  // What stood in config.yaml by then is confirmed with it.
  expect((await ui.home.lanyard(['confirm'])).stderr).toContain('Nothing is pending');
  await window.close();
});

/** What a click on the frame’s button opens. A frame that is still loading takes a click and opens nothing. */
async function popupOf(frame: Frame | undefined): Promise<Page> {
  for (;;) {
    const opened = evil
      .context()
      .waitForEvent('page', { timeout: 4_000 })
      .catch(() => null);
    await frame?.locator('button').click();
    const popup = await opened;
    if (popup !== null) {
      return popup;
    }
  }
}

test('another port’s page that knows a window’s address and token sends, frames and opens nothing', async () => {
  const address = await openWindow({ what: 'secret', account: 'bot', secret: 'token' });
  const window = await show(address);
  const known = await window.locator('input[name=token]').inputValue();
  const body = new URLSearchParams({ token: known, answer: 'yes', secret: 'of-the-attacker' }).toString();

  for (const init of [
    { method: 'POST', mode: 'no-cors', body },
    { method: 'POST', mode: 'cors', body },
    { method: 'GET', mode: 'no-cors' },
  ] as const) {
    const seen = await evil.evaluate(
      async ([url, given]) =>
        fetch(url, { ...given, headers: { 'content-type': 'application/x-www-form-urlencoded' } }).then(
          ({ status, type }) => `${status} ${type}`,
          () => 'nothing',
        ),
      [address, init] as const,
    );
    // Nothing, or an answer that can't be read.
    expect(['nothing', '0 opaque']).toContain(seen);
  }
  // As a form is sent by a page of any site: by itself, and from a frame that is of no origin at all.
  const forms = [
    (html: string) => html,
    (html: string) =>
      `<iframe sandbox="allow-scripts allow-forms allow-popups" srcdoc="${html.replaceAll('"', '&quot;')}"></iframe>`,
  ];
  const form = `<form method="post" target="_blank" action="${address}"><input name="token" value="${known}"><input name="answer" value="yes"><input name="secret" value="of-the-attacker"><button>x</button></form>`;
  for (const [count, around] of forms.entries()) {
    await evil.setContent(around(form));
    // The frame is there a little after the page.
    await expect.poll(() => evil.frames().length).toBe(count + 1);
    const frame = evil.frames().at(-1);
    const popup = await popupOf(frame);
    await popup.waitForLoadState();
    // A refusal, or the browser's own page where the connection was closed before all was sent.
    expect(await popup.content()).not.toMatch(/<form|Saved|Request rejected/);
    expect(await popup.evaluate(() => window.opener)).toBeNull();
    await popup.close();
  }
  await evil.setContent(`<iframe src="${address}"></iframe>`);
  await expect.poll(() => evil.frames().length).toBe(2);
  expect(await evil.frames()[1]?.content()).not.toContain('<form');

  // All that used nothing up: the person's own answer counts.
  await window.getByLabel('Token').fill(token);
  await window.keyboard.press('Enter');
  await window.getByRole('heading', { name: 'Saved' }).waitFor();
  const printed = await ui.home.lanyard(['secret', 'list']);
  expect(printed.stdout + printed.stderr).not.toContain('of-the-attacker');
  await window.close();
});

test('a click or a key that was meant for another page, as it came up under it, approves nothing', async () => {
  ui.home.writeConfig({ ...config, clusters: { prod: { ...config.clusters.prod, approval: 'always' } } });
  const nothing = async () => (await ui.home.lanyard(['confirm'])).stderr.includes('Nothing is pending');
  await until(async () => ((await nothing()) ? null : true), 'the change');
  const window = await context.newPage();
  // Its first second lasts until it has been looked at.
  const debug = await context.newCDPSession(window);
  await debug.send('Animation.enable');
  await debug.send('Animation.setPlaybackRate', { playbackRate: 0 });
  await window.goto(await openWindow({ what: 'confirm' }));
  const yes = window.getByRole('button', { name: 'Approve' });
  const hit = await yes.evaluate((button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === button;
  });
  expect(hit).toBe(false);
  await debug.send('Animation.setPlaybackRate', { playbackRate: 1 });
  // Once the second is over, it is taken: the first test of a window that nobody could answer would be a poor one.
  await pressWhenRead(window, 'Approve');
  await window.getByRole('heading', { name: /approved$/ }).waitFor();
  await window.close();
});

test.runIf(isRoot)('another user of the machine hears not a byte of a window', async () => {
  const address = await openWindow({ what: 'secret', account: 'bot', secret: 'token' });
  const { host, port, pathname } = new URL(address);
  const program = `
    const socket = require('node:net').connect(${port}, '127.0.0.1');
    let heard = 0;
    socket.on('data', (piece) => (heard += piece.length));
    socket.on('error', () => undefined);
    socket.on('close', () => console.log('heard', heard));
    socket.write('GET ${pathname} HTTP/1.1\\r\\nHost: ${host}\\r\\n\\r\\n');`;
  chmodSync(ui.home.outside, 0o755);
  try {
    const node = nodeForAnyone(ui.home.outside);
    const done = await run(node, ['-e', program], { uid: nobody, gid: nobody, cwd: '/' });
    expect(done.stdout).toBe('heard 0\n');
  } finally {
    chmodSync(ui.home.outside, 0o700);
  }
  // Nor was it used up.
  const window = await show(address);
  await window.getByLabel('Token').waitFor();
  await window.close();
});

test('a page that opens many has one at a time; the others are over, and soon nothing listens there', async () => {
  const addresses = [];
  for (let count = 0; count < 3; count += 1) {
    addresses.push(await openWindow({ what: 'secret', account: 'bot', secret: 'token' }));
  }
  const headings = [];
  for (const address of addresses) {
    const window = await show(address);
    headings.push(await window.getByRole('heading').textContent());
    await window.close();
  }
  expect(headings).toEqual(['Another window was opened', 'Another window was opened', 'The token of bot']);
});

test('no secret that was typed there was told to a page, or stands in its memory or in the log (rule: page-without-secrets)', async () => {
  const canaries = [
    { name: 'passphrase', value: passphrase },
    { name: 'token', value: token },
  ];
  const texts = [
    { where: 'messages', bytes: Buffer.from(told.join('\n')) },
    { where: 'log', bytes: Buffer.from(ui.agent().log()) },
  ];
  expect(told.length).toBeGreaterThan(3);
  expect(findCanaries(canaries, texts)).toEqual([]);
  await expectNotInPage(witness, [passphrase, token]);
});
