import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDialogs } from '../../app/dialogs/index.ts';
import { hardenApp } from '../../app/hardening/index.ts';
import { createUserGate } from '../../main/consent/windows/user-gate.ts';
import type { WindowHost } from '../../main/consent/windows/window-host.ts';
import type { Fields, WindowKind } from '../../main/consent/windows/window-kind.ts';
import { createWindows, type Windows } from '../../main/consent/windows/windows.ts';
import type { UserVerdict } from '../../main/ports/user-check.ts';
import {
  createStandIn,
  type StandIn,
  StandInSession,
  type StandInWindow,
} from '../support/electron/index.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** Dialogs of the desktop app on the stand-in: what Chromium does with the page itself is shown on no Electron here. */

let standIn: StandIn;
let clock: ManualClock;
let dialogs: WindowHost;
let windows: Windows;
let taken: { answer: string; fields: Fields }[];
let refused: number;
let over: string | null;
let log: string[];
let biometrics: 'never' | 'unlock' | 'always';
let verdict: UserVerdict;
let reasons: string[];

beforeEach(() => {
  standIn = createStandIn();
  clock = new ManualClock();
  [taken, log, reasons] = [[], [], []];
  [refused, over, biometrics, verdict] = [0, null, 'unlock', 'absent'];
  const say = (event: string, fields?: object) => void log.push(`${event} ${JSON.stringify(fields)}`);
  const all = { debug: say, info: say, warn: say, error: say };
  hardenApp({ app: standIn.electron.app, log: all });
  dialogs = createDialogs({
    electron: standIn.electron,
    platform: 'linux',
    files: { windowIcon: '/icons/window.png' },
    clock,
    log: all,
  });
  const person = createUserGate({
    settings: () => ({ lock: { biometrics } }),
    check: {
      verify: async (reason) => {
        reasons.push(reason);
        return verdict;
      },
    },
  });
  windows = createWindows({ clock, log: all, host: dialogs, person });
});
afterEach(async () => {
  await windows.dispose();
  await dialogs.dispose();
});

const kind = (more: Partial<WindowKind> = {}): WindowKind => ({
  title: 'Test',
  content: {
    heading: 'Take <b>this</b>?',
    text: [],
    yes: 'Take',
    no: 'Leave',
    more: { label: 'Allow for longer', answers: [{ answer: '1h', label: 'For 1 hour' }] },
  },
  over: async () => over,
  submit: async (fields, answer) => {
    taken.push({ answer, fields });
    return answer === 'bad'
      ? { kind: 'done', good: false, heading: 'No', text: ['It broke.'] }
      : { kind: 'done', good: true, heading: 'Taken', text: ['Done.'] };
  },
  refuse: async () => {
    refused++;
    return { kind: 'done', good: false, heading: 'Not taken', text: ['Nothing.'] };
  },
  ...more,
});

const partition = () => standIn.sessions.get('lanyard-dialogs') ?? new StandInSession();
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Opens a dialog, and has its page asked for as Chromium does. */
async function open(more: Partial<WindowKind> = {}) {
  await windows.open(kind(more), null);
  const window = standIn.windows.at(-1) as StandInWindow;
  const address = window.loaded[0] ?? '';
  const page = await (await partition().request(address)).text();
  return { window, address, token: tokenIn(page), page };
}
const tokenIn = (page: string) => /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';
const form = 'application/x-www-form-urlencoded';

function postAtOnce(address: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams(fields).toString();
  return partition().request(address, {
    method: 'POST',
    headers: { 'content-type': form, origin: 'lanyard-dialog://dialog', ...headers },
    body,
  });
}
function post(...args: Parameters<typeof postAtOnce>) {
  clock.advance(1_000);
  return postAtOnce(...args);
}

describe('a dialog', () => {
  it('is a window without scripts, Node, preload or a kept partition, in front of the others', async () => {
    const { window, page } = await open();
    expect(window.options).toMatchObject({
      alwaysOnTop: true,
      fullscreenable: false,
      center: true,
      show: false,
    });
    const { webPreferences } = window.options;
    expect(webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      javascript: false,
      webviewTag: false,
      devTools: false,
      spellcheck: false,
    });
    expect(webPreferences?.preload).toBeUndefined();
    expect(webPreferences?.partition).not.toMatch(/^persist:/);
    expect(window.hasMenu).toBe(false);
    expect(window.isVisible()).toBe(true);
    expect(page).toContain('Take &lt;b&gt;this&lt;/b&gt;?');
    expect(page).not.toMatch(/<script|onclick|javascript:/i);
  });

  it('is served with a policy that lets nothing run, load or frame, and its form go to its own scheme alone', async () => {
    await windows.open(kind(), null);
    const { headers } = await partition().request(standIn.windows[0]?.loaded[0] ?? '');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self' lanyard-dialog:; frame-ancestors 'none'$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('goes nowhere, opens nothing, and is permitted nothing', async () => {
    const { window, address } = await open();
    const go = (url: string, isMainFrame = true) => {
      const event = { url, isMainFrame, defaultPrevented: false, preventDefault: () => {} };
      event.preventDefault = () => {
        event.defaultPrevented = true;
      };
      window.contents.events.emit('will-frame-navigate', event);
      return event.defaultPrevented;
    };
    expect(go(address)).toBe(false);
    expect(go(address, false)).toBe(true);
    for (const url of [
      'https://evil.example/',
      'lanyard-dialog://dialog/other',
      'app://lanyard/',
      'file:///etc',
    ]) {
      expect(go(url)).toBe(true);
    }
    expect(window.contents.happen('will-redirect').defaultPrevented).toBe(true);
    expect(window.contents.happen('will-attach-webview').defaultPrevented).toBe(true);
    expect(window.contents.openWindow('https://evil.example/')).toEqual({ action: 'deny' });
    const answers: boolean[] = [];
    partition().permissionRequest?.({} as never, 'media', (is) => answers.push(is), {} as never);
    expect([answers, partition().permissionCheck?.(null, 'media', '', {} as never)]).toEqual([
      [false],
      false,
    ]);
  });

  it('is shown once, and a guessed address or another method finds nothing', async () => {
    const { address } = await open();
    expect((await partition().request(address)).status).toBe(410);
    for (const path of ['/', `/${'A'.repeat(43)}`]) {
      expect((await partition().request(`lanyard-dialog://dialog${path}`)).status).toBe(404);
    }
    expect((await partition().request(address.replace('//dialog', '//other'))).status).toBe(404);
    expect((await partition().request(`${address}?x`)).status).toBe(404);
    for (const method of ['HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
      expect((await partition().request(address, { method })).status).toBe(405);
    }
    expect(log.join()).not.toContain(new URL(address).pathname);
  });
});

describe('an answer', () => {
  it.each<[string, Record<string, string>, number]>([
    ['another origin', { origin: 'app://lanyard' }, 403],
    ['a text', { 'content-type': 'text/plain' }, 415],
    ['JSON', { 'content-type': 'application/json' }, 415],
  ])('from %s is not taken', async (_, headers, status) => {
    const { address, token } = await open();
    expect((await post(address, { token, answer: 'yes' }, headers)).status).toBe(status);
    expect(taken).toEqual([]);
  });

  it('counts without an Origin too, which Chromium may leave out for such a scheme', async () => {
    const { address, token } = await open();
    clock.advance(1_000);
    const body = new URLSearchParams({ token, answer: '1h' }).toString();
    await partition().request(address, { method: 'POST', headers: { 'content-type': form }, body });
    expect(taken).toMatchObject([{ answer: '1h' }]);
  });

  it('without a body, one that is too large, and one with a wrong token, count nothing', async () => {
    const { address, token } = await open();
    clock.advance(1_000);
    const empty = await partition().request(address, { method: 'POST', headers: { 'content-type': form } });
    expect(empty.status).toBe(403);
    const tooLong = await post(address, { token, answer: 'yes', x: 'x'.repeat(300_000) });
    expect(await tooLong.text()).toContain('Too long');
    expect((await post(address, { token: 'A'.repeat(43), answer: 'yes' })).status).toBe(403);
    expect(taken).toEqual([]);
    await post(address, { token, answer: 'yes' });
    expect(taken).toHaveLength(1);
  });

  it('sooner than a user can read it counts from when it was visible, not from when it was loaded', async () => {
    const { window, address, token } = await open();
    clock.advance(5_000);
    expect((await postAtOnce(address, { token, answer: 'yes' })).status).toBe(200);
    expect(taken).toHaveLength(1);
    expect(window.isDestroyed()).toBe(true);
    const next = await open();
    expect((await postAtOnce(next.address, { token: next.token, answer: '1h' })).status).toBe(204);
    expect((await postAtOnce(next.address, { token: next.token, answer: 'yes' })).status).toBe(204);
    expect(taken).toHaveLength(1);
    expect((await post(next.address, { token: next.token, answer: 'yes' })).status).toBe(200);
    expect(taken).toHaveLength(2);
  });

  it('closes the dialog, and a replay finds nothing', async () => {
    const { window, address, token } = await open();
    expect((await post(address, { token, answer: 'no' })).status).toBe(200);
    await settle();
    expect([refused, window.isDestroyed(), windows.view()]).toEqual([1, true, null]);
    expect((await post(address, { token, answer: 'yes' })).status).toBe(404);
    expect(taken).toEqual([]);
  });

  it('that no button has is a No', async () => {
    const { address, token } = await open();
    await post(address, { token, answer: 'always' });
    expect([refused, taken]).toEqual([1, []]);
  });

  it('that could not be carried out stays visible until it was read', async () => {
    const { window, address, token } = await open({
      submit: async () => ({ kind: 'done', good: false, heading: 'It broke', text: ['Try later.'] }),
    });
    const page = await (await post(address, { token, answer: 'yes' })).text();
    await settle();
    expect([page.includes('It broke'), window.isDestroyed(), windows.view()]).toEqual([true, false, null]);
    window.blur();
    expect(window.isDestroyed()).toBe(true);
  });
});

describe('a dialog ends', () => {
  it('when it is closed, which says neither Yes nor No', async () => {
    const { window, address, token } = await open();
    window.close();
    await settle();
    expect([refused, taken, windows.view()]).toEqual([0, [], null]);
    expect((await post(address, { token, answer: 'yes' })).status).toBe(404);
  });

  it('immediately when its request ends and it isn’t in front; in front, it says why and takes no answer', async () => {
    const first = await open();
    first.window.blur();
    over = 'It was answered elsewhere.';
    windows.look();
    await settle();
    expect([first.window.isDestroyed(), windows.view()]).toEqual([true, null]);
    over = null;
    const second = await open();
    over = 'It was answered elsewhere.';
    windows.look();
    await settle();
    expect([second.window.isDestroyed(), second.window.loaded.length]).toEqual([false, 2]);
    const page = await (await partition().request(second.address)).text();
    expect(page).toContain('It was answered elsewhere.');
    await post(second.address, { token: second.token, answer: 'yes' });
    expect(taken).toEqual([]);
    clock.advance(20_000);
    expect(second.window.isDestroyed()).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('when another is opened, and with the app', async () => {
    const first = await open();
    const second = await open();
    await settle();
    expect([first.window.isDestroyed(), second.window.isDestroyed()]).toEqual([true, false]);
    await dialogs.dispose();
    await settle();
    expect([second.window.isDestroyed(), windows.view()]).toEqual([true, null]);
  });

  it('and says so to whoever waits for its answer, but not once there was one', async () => {
    let left = 0;
    const leaving = { left: () => void left++ };
    const answered = await open(leaving);
    await post(answered.address, { token: answered.token, answer: 'no' });
    await settle();
    expect(left).toBe(0);
    const closed = await open(leaving);
    closed.window.close();
    await settle();
    expect(left).toBe(1);
    await open(leaving);
    clock.advance(300_000);
    await settle();
    expect(left).toBe(2);
  });

  it('when its page’s process ends', async () => {
    const { window } = await open();
    window.contents.happen('render-process-gone');
    await settle();
    expect([window.isDestroyed(), windows.view()]).toEqual([true, null]);
  });
});

describe('the user check', () => {
  const asks = { person: { for: 'answer' as const, reason: 'take this' } };

  it.each<[UserVerdict, boolean]>([
    ['yes', true],
    ['no', false],
    ['cannot', false],
    ['absent', true],
  ])('after a Yes says %s: taken %s', async (said, isTaken) => {
    [biometrics, verdict] = ['always', said];
    const { address, token } = await open(asks);
    const page = await (await post(address, { token, answer: 'yes' })).text();
    expect([taken.length === 1, reasons]).toEqual([isTaken, ['take this']]);
    // What wasn't taken can be said once more, with a new token.
    expect(tokenIn(page) !== '').toBe(!isTaken);
  });

  it.each(['unlock', 'never'] as const)('isn’t made for an answer with %s', async (wanted) => {
    [biometrics, verdict] = [wanted, 'no'];
    const { address, token } = await open(asks);
    await post(address, { token, answer: 'yes' });
    expect([taken.length, reasons]).toEqual([1, []]);
  });

  it('isn’t made for a No', async () => {
    [biometrics, verdict] = ['always', 'no'];
    const { address, token } = await open(asks);
    await post(address, { token, answer: 'no' });
    expect([refused, reasons]).toEqual([1, []]);
  });

  it('takes nothing that changed while it was made, nor for a dialog that was closed meanwhile', async () => {
    biometrics = 'always';
    const { promise, resolve } = Promise.withResolvers<UserVerdict>();
    verdict = promise as unknown as UserVerdict;
    const { window, address, token } = await open(asks);
    const answered = post(address, { token, answer: 'yes' });
    await settle();
    window.close();
    resolve('yes');
    await answered;
    expect(taken).toEqual([]);
  });
});
