import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { answerTo, connectPage, openPage, type PageSecret } from '../../../../test/support/page-client.ts';
import { closeCodes } from '../../../contract/ui/handshake.ts';
import { pageMessageLimitBytes } from '../../../contract/ui/messages.ts';
import { silentLog } from '../../../ports/log.ts';
import type { Page } from '../index.ts';
import { PageKeys } from './page-keys.ts';
import { openWebListener, type WebListener } from './web-listener.ts';

let clock: ManualClock;
let keys: PageKeys;
let listener: WebListener;
let pages: Page[];
let received: string[];
let ended: number;

beforeEach(async () => {
  [clock, pages, received, ended] = [new ManualClock(), [], [], 0];
  keys = new PageKeys({ clock });
  listener = await openWebListener({
    clock,
    log: silentLog,
    keys,
    port: 0,
    lookUpPeer: async () => 'own',
    files: new Map(),
    onLetIn: async () => undefined,
    onUsed: () => undefined,
    door: {
      connect(page) {
        pages.push(page);
        return {
          receive: (text) => void received.push(text),
          dispose: () => void ended++,
        };
      },
    },
  });
});
afterEach(async () => {
  const closing = listener.close(closeCodes.ending);
  // Who doesn't answer the close is let go of after a second.
  clock.advance(1_000);
  await closing;
});

function newTicket(): PageSecret {
  const { id, secret } = keys.issue();
  return { id, secret: secret.reveal() };
}
const open = async () => (await openPage(listener.host, newTicket())).page;

describe('a connection is let in', () => {
  test('never by a proof of another connection', async () => {
    const ticket = newTicket();
    const first = await connectPage(listener.host);
    const { prove } = answerTo(await first.next(), listener.host, ticket);
    const second = await connectPage(listener.host);
    await second.next();
    second.send(prove);
    expect(await second.closed).toBe(closeCodes.notLetIn);
    // Nor is the ticket spent by it.
    first.send(prove);
    expect(await first.next()).toMatchObject({ kind: 'proved' });
  });

  test('never by a proof for another port', async () => {
    const page = await connectPage(listener.host);
    page.send(answerTo(await page.next(), '127.0.0.1:1', newTicket()).prove);
    expect(await page.closed).toBe(closeCodes.notLetIn);
  });

  test.each<[string, (ticket: PageSecret) => PageSecret]>([
    ['guessed', ({ id }) => ({ id, secret: randomBytes(32).toString('base64url') })],
    ['of nobody', ({ secret }) => ({ id: randomBytes(16).toString('base64url'), secret })],
    ['named as an object’s own', ({ secret }) => ({ id: '__proto__aaaaaaaaaaaaa', secret })],
  ])('never by a secret that is %s', async (_, change) => {
    await expect(openPage(listener.host, change(newTicket()))).rejects.toThrow('4401');
    expect(pages).toEqual([]);
  });

  test.each<[string, string | object]>([
    ['a call', { kind: 'call', id: 1, name: 'lock.close', input: {} }],
    ['a broken text', '{'],
    ['a proof with a short nonce', { kind: 'prove', id: 'a'.repeat(22), nonce: 'a', proof: 'a'.repeat(43) }],
  ])('never by %s in the place of a proof', async (_, message) => {
    const page = await connectPage(listener.host);
    await page.next();
    page.send(message);
    expect(await page.closed).toBe(closeCodes.broken);
    expect([pages, received]).toEqual([[], []]);
  });

  test('never by a proof in a text that is longer than one needs', async () => {
    const page = await connectPage(listener.host);
    const { prove } = answerTo(await page.next(), listener.host, newTicket());
    page.send({ ...prove, filler: 'x'.repeat(2_000) });
    expect(await page.closed).toBe(closeCodes.broken);
  });

  test('within five seconds, or not', async () => {
    const page = await connectPage(listener.host);
    clock.advance(4_999);
    expect(page.socket.readyState).toBe(page.socket.OPEN);
    clock.advance(1);
    expect(await page.closed).toBe(closeCodes.broken);
  });

  test('only where few others wait to be; those who are in stay', async () => {
    const inside = await open();
    const idle = await Promise.all(Array.from({ length: 8 }, () => connectPage(listener.host)));
    await expect(connectPage(listener.host)).rejects.toThrow('status 503');
    inside.send({ kind: 'resync' });
    await expect.poll(() => received).toHaveLength(1);
    clock.advance(5_000);
    await Promise.all(idle.map(({ closed }) => closed));
    await open();
  });

  test('24 at most', async () => {
    for (let count = 0; count < 24; count += 1) {
      await open();
    }
    await expect(connectPage(listener.host)).rejects.toThrow('status 503');
  });
});

describe('a page that is in is closed', () => {
  test('when it sends bytes instead of text', async () => {
    const page = await open();
    page.socket.send(Buffer.from('{"kind":"resync"}'), { binary: true });
    expect(await page.closed).toBe(closeCodes.broken);
    expect(received).toEqual([]);
  });

  test('when a message is larger than any may be; the largest is heard', async () => {
    const page = await open();
    page.send('x'.repeat(pageMessageLimitBytes));
    await expect.poll(() => received).toHaveLength(1);
    page.send('x'.repeat(pageMessageLimitBytes + 1));
    expect(await page.closed).toBe(1009);
    expect(received).toHaveLength(1);
  });

  test('when it says too much at once, in messages, pings or bytes; and what it did is ended', async () => {
    const chatty = await open();
    for (let count = 0; count < 1_000; count += 1) {
      chatty.send('{"kind":"resync"}');
    }
    expect(await chatty.closed).toBe(closeCodes.broken);
    expect(received.length).toBeLessThanOrEqual(400);
    expect(ended).toBe(1);
    const pinging = await open();
    for (let count = 0; count < 1_000; count += 1) {
      pinging.socket.ping();
    }
    await pinging.closed;
    expect(ended).toBe(2);
    const heavy = await open();
    for (let count = 0; count < 20; count += 1) {
      heavy.send('x'.repeat(pageMessageLimitBytes));
    }
    expect(await heavy.closed).toBe(closeCodes.broken);
  });

  test('when the door says so', async () => {
    const page = await open();
    pages[0]?.refuse();
    expect(await page.closed).toBe(closeCodes.broken);
  });

  test('when it answers no ping', async () => {
    const page = await open();
    page.socket.pause();
    clock.advance(20_000);
    clock.advance(20_000);
    expect(ended).toBe(0);
    clock.advance(20_000);
    expect(ended).toBe(1);
    page.socket.resume();
    expect(await page.closed).toBe(1006);
  });

  test('when it doesn’t read: nothing piles up for it', async () => {
    const page = await open();
    page.socket.pause();
    const filler = 'x'.repeat(1024 * 1024);
    for (let sent = 0; sent < 64 && ended === 0; sent += 1) {
      pages[0]?.send({ kind: 'progress', id: 1, value: filler });
    }
    expect(ended).toBe(1);
    page.socket.resume();
    expect(await page.closed).toBe(1006);
  });
});

test('a page that says as much as a busy one does is not taken for a flood', async () => {
  const page = await open();
  for (let seconds = 0; seconds < 20; seconds += 1) {
    for (let count = 0; count < 100; count += 1) {
      page.send('{"kind":"resync"}');
    }
    await expect.poll(() => received.length).toBe((seconds + 1) * 100);
    clock.advance(1_000);
  }
});
