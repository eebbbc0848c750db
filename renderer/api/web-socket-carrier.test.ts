import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { proofText } from '../../main/contract/ui/handshake.ts';
import type { Connection } from './carrier.ts';
import { type CarrierWindow, createWebSocketCarrier } from './web-socket-carrier.ts';

const host = '127.0.0.1:4711';
const secret = (letter: string) => Buffer.alloc(32, letter).toString('base64url');
const id = (letter: string) => letter.repeat(22);
const nonce = secret('n');
const snapshot = { kind: 'snapshot', version: 1, now: 0, entries: [] };

function sign(what: 'page' | 'broker' | 'session', key: string, pageNonce: string): string {
  const text = proofText(what, { host, brokerNonce: nonce, pageNonce });
  return createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest('base64url');
}

/** A WebSocket whose other end is the test. */
class FakeSocket {
  static all: FakeSocket[] = [];
  readonly sent: Record<string, string>[] = [];
  readonly url: string;
  onmessage: (event: { data: unknown }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;
  isClosed = false;

  constructor(url: string) {
    this.url = url;
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.isClosed = true;
  }

  says(message: unknown): void {
    this.onmessage({ data: typeof message === 'string' ? message : JSON.stringify(message) });
  }

  async proof(): Promise<Record<string, string>> {
    this.says({ kind: 'challenge', nonce });
    return vi.waitUntil(() => this.sent[0]);
  }

  async letsIn(key: string, more: object = {}): Promise<void> {
    const { nonce: pageNonce = '' } = await this.proof();
    this.says({ kind: 'proved', proof: sign('broker', key, pageNonce), ...more });
  }
}

/** The parts of a window that the carrier uses. Its timers are vitest's. */
function createWindow(hash: string) {
  const stored = new Map<string, string>();
  const listeners = new Map<string, ((event: unknown) => void)[]>();
  const addEventListener = (kind: string, listener: (event: unknown) => void) =>
    listeners.set(kind, [...(listeners.get(kind) ?? []), listener]);
  const location = { host, pathname: '/', hash };
  const window = {
    location,
    history: {
      replaceState: (_: unknown, __: string, url: string) => Object.assign(location, { hash: '', url }),
    },
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    },
    document: { visibilityState: 'visible', addEventListener },
    addEventListener,
    crypto: globalThis.crypto,
    WebSocket: FakeSocket,
    setTimeout: (run: () => void, wait: number) => setTimeout(run, wait),
    clearTimeout: (timer: number) => clearTimeout(timer),
    setInterval: (run: () => void, wait: number) => setInterval(run, wait),
    clearInterval: (timer: number) => clearInterval(timer),
  };
  const happens = (kind: string, event: object = {}) => {
    for (const listener of listeners.get(kind) ?? []) {
      listener(event);
    }
  };
  return { window: window as unknown as CarrierWindow, location, stored, happens, document: window.document };
}

type TestWindow = ReturnType<typeof createWindow>;

let connections: Connection[];
let messages: unknown[];
const socket = () => FakeSocket.all.at(-1) as FakeSocket;
const last = () => connections.at(-1);

function begin(
  hash: string,
  stored?: { id: string; secret: string },
): TestWindow & { carrier: ReturnType<typeof createWebSocketCarrier> } {
  const made = createWindow(hash);
  if (stored) {
    made.stored.set('lanyard.session', JSON.stringify(stored));
  }
  const carrier = createWebSocketCarrier(made.window);
  carrier.start({
    onConnection: (connection) => connections.push(connection),
    onMessage: (message) => messages.push(message),
  });
  return { ...made, carrier };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  [FakeSocket.all, connections, messages] = [[], [], []];
  return () => vi.useRealTimers();
});

const ticket = `#ticket=${id('t')}.${secret('t')}`;
const session = { id: id('s'), secret: secret('s') };

/** A page whose session was let in. */
async function opened() {
  const page = begin('', session);
  await socket().letsIn(session.secret);
  await vi.waitUntil(() => last()?.kind === 'open');
  return page;
}

describe('a ticket', () => {
  test('is removed from the address first, and becomes a session that is kept', async () => {
    const made = createWindow(ticket);
    createWebSocketCarrier(made.window);
    expect(made.location).toMatchObject({ hash: '', url: '/' });
    const { stored } = begin(ticket);
    expect(socket().url).toBe(`ws://${host}/`);
    await socket().letsIn(secret('t'), { session: id('s') });
    await vi.waitUntil(() => last()?.kind === 'open');
    const { nonce: pageNonce = '', ...proof } = socket().sent[0] ?? {};
    expect(proof).toEqual({ kind: 'prove', id: id('t'), proof: sign('page', secret('t'), pageNonce) });
    expect(JSON.parse(stored.get('lanyard.session') ?? '')).toEqual({
      id: id('s'),
      secret: sign('session', secret('t'), pageNonce),
    });
  });

  test('of an address that was typed into the tab is taken, too', async () => {
    const { happens, location } = await opened();
    location.hash = ticket;
    happens('hashchange');
    expect(location.hash).toBe('');
    expect(await socket().proof()).toMatchObject({ id: id('t') });
    expect(FakeSocket.all.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  test('that was used: the tab’s own session is tried, and without one it says so', async () => {
    begin(ticket, session);
    socket().onclose({ code: 4401 });
    await vi.waitUntil(() => FakeSocket.all.length === 2);
    expect(await socket().proof()).toMatchObject({ id: session.id });
    begin(ticket);
    socket().onclose({ code: 4401 });
    await vi.waitUntil(() => last()?.kind === 'refused');
    expect(last()).toMatchObject({ why: expect.stringContaining('link has expired') });
  });
});

describe('a session', () => {
  const isStored = ({ stored }: TestWindow) => stored.has('lanyard.session');

  test('is not in the tab’s storage while the broker is away: another program on its port could read it there', async () => {
    const page = await opened();
    expect(isStored(page)).toBe(true);
    socket().onclose({ code: 1006 });
    await vi.waitUntil(() => last()?.kind === 'gone');
    expect(isStored(page)).toBe(false);
    page.carrier.retry();
    await socket().letsIn(session.secret);
    await vi.waitUntil(() => last()?.kind === 'open');
    expect(isStored(page)).toBe(true);
  });

  test('is kept for a page that is reloaded', async () => {
    const page = await opened();
    page.happens('pagehide');
    socket().onclose({ code: 1001 });
    await vi.waitUntil(() => last()?.kind === 'gone');
    expect(isStored(page)).toBe(true);
  });
});

describe('nothing is believed', () => {
  test.each<[string, object]>([
    ['a proof of another secret', { kind: 'proved', proof: sign('broker', secret('x'), 'any') }],
    ['the page’s own proof sent back', {}],
  ])('before the broker has proved itself: %s', async (_, answer) => {
    const { carrier } = begin('', session);
    const { proof } = await socket().proof();
    socket().says(Object.keys(answer).length > 0 ? answer : { kind: 'proved', proof });
    socket().says(snapshot);
    await vi.waitUntil(() => last()?.kind === 'refused');
    expect(last()).toMatchObject({ why: expect.stringContaining('different program') });
    expect(messages).toEqual([]);
    carrier.send({ kind: 'resync' });
    expect(socket().sent).toHaveLength(1);
  });

  test.each<[string, unknown]>([
    ['a state in the place of a challenge', snapshot],
    ['no JSON', '{'],
    ['a short nonce', { kind: 'challenge', nonce: 'a' }],
  ])('of what makes no sense: %s', async (_, message) => {
    begin('', session);
    socket().says(message);
    await vi.waitUntil(() => last()?.kind === 'gone');
    expect([socket().isClosed, socket().sent, messages]).toEqual([true, [], []]);
  });

  test('of a message that is no JSON: starts a new connection', async () => {
    begin('', session);
    await socket().letsIn(session.secret);
    socket().says(snapshot);
    socket().says('{');
    await vi.waitUntil(() => last()?.kind === 'gone');
    expect(messages).toEqual([snapshot]);
  });

  test('of one that says nothing for ten seconds', async () => {
    begin('', session);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(last()?.kind).toBe('gone');
  });
});

describe('the broker is away', () => {
  test('it is searched for automatically, ever less often, and found with the same session', async () => {
    await opened();
    socket().onclose({ code: 1006 });
    await vi.waitUntil(() => last()?.kind === 'gone');
    const since = last();
    const waits = [];
    for (let tries = 0; tries < 9; tries += 1) {
      const before = Date.now();
      const count = FakeSocket.all.length;
      while (FakeSocket.all.length === count) {
        await vi.advanceTimersByTimeAsync(100);
      }
      waits.push(Date.now() - before);
      socket().onclose({ code: 1006 });
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(waits).toEqual([200, 400, 800, 1_500, 3_000, 5_000, 10_000, 10_000, 10_000]);
    expect(connections.slice(2).every((each) => JSON.stringify(each) === JSON.stringify(since))).toBe(true);
    await vi.advanceTimersByTimeAsync(10_000);
    await socket().letsIn(session.secret);
    await vi.waitUntil(() => last()?.kind === 'open');
  });

  test.each(['online', 'visibilitychange', 'retry'])('immediately with %s', async (kind) => {
    const { happens, carrier } = await opened();
    socket().onclose({ code: 4410 });
    await vi.waitUntil(() => last()?.kind === 'gone');
    if (kind === 'retry') {
      carrier.retry();
      carrier.retry();
    } else {
      happens(kind);
    }
    expect(FakeSocket.all).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(FakeSocket.all).toHaveLength(2);
  });

  test.each<[number, string]>([
    [4401, 'session was revoked'],
    [4408, '10 minutes'],
  ])('for good after %i: it says why, forgets the session and tries no more', async (code, why) => {
    const { stored } = await opened();
    socket().onclose({ code });
    await vi.waitUntil(() => last()?.kind === 'refused');
    expect(last()).toMatchObject({ why: expect.stringContaining(why) });
    expect(stored.size).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });
});

test('without a ticket or a session nothing is tried', () => {
  begin('#/clusters');
  expect([last()?.kind, FakeSocket.all]).toEqual(['refused', []]);
});

test('it is said each minute that the page is in sight, and whether a hand was at it', async () => {
  const { happens, document } = await opened();
  const said = () => socket().sent.slice(1);
  await vi.advanceTimersByTimeAsync(60_000);
  happens('keydown', { isTrusted: true });
  await vi.advanceTimersByTimeAsync(60_000);
  happens('pointerdown', { isTrusted: false });
  await vi.advanceTimersByTimeAsync(60_000);
  document.visibilityState = 'hidden';
  await vi.advanceTimersByTimeAsync(600_000);
  expect(said().map(({ input }) => input)).toEqual([false, true, false]);
  document.visibilityState = 'visible';
  happens('visibilitychange');
  expect(said()).toHaveLength(4);
});
