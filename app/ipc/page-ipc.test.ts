import { beforeEach, describe, expect, it } from 'vitest';
import { pageMessageLimitBytes } from '../../main/contract/ui/messages.ts';
import type { Page } from '../../main/doors/ui/index.ts';
import { silentLog } from '../../main/ports/log.ts';
import { createStandIn, type StandIn, type StandInWindow } from '../../test/support/electron/index.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { channels } from './channels.ts';
import { createPageIpc } from './page-ipc.ts';

/** A page's session at the broker, as the carrier sees it. */
interface Session {
  page: Page;
  received: string[];
  hasEnded: boolean;
}

let standIn: StandIn;
let window: StandInWindow;
let clock: ManualClock;
let sessions: Session[];
let refusals: number;
let ipc: ReturnType<typeof createPageIpc>;

beforeEach(async () => {
  standIn = createStandIn();
  window = makeWindow();
  await window.loadURL('app://lanyard/#/clusters');
  clock = new ManualClock();
  sessions = [];
  refusals = 0;
  ipc = createPageIpc({
    ipcMain: standIn.electron.ipcMain,
    contents: window.webContents,
    door: {
      connect(page) {
        const session: Session = { page, received: [], hasEnded: false };
        sessions.push(session);
        return {
          receive: (text) => void session.received.push(text),
          dispose: () => {
            session.hasEnded = true;
          },
        };
      },
    },
    clock,
    log: silentLog,
    refused: () => {
      refusals += 1;
    },
  });
});

function makeWindow(): StandInWindow {
  new standIn.electron.BrowserWindow({ webPreferences: { partition: 'test' } });
  const made = standIn.windows.at(-1);
  if (!made) {
    throw new Error('no window');
  }
  return made;
}

/** Sends as a frame of a page. Default: the window's own main frame. */
function send(
  channel: string,
  args: unknown[] = [],
  from: { sender?: object; senderFrame?: object | null } = {},
): void {
  const { contents } = window;
  standIn.ipc.events.emit(channel, { sender: contents, senderFrame: contents.mainFrame, ...from }, ...args);
}
const begin = () => send(channels.begin);
const say = (text: unknown) => send(channels.toBroker, [text]);

describe('the carrier of a window', () => {
  it('has a session for the document that begins, and brings its messages', () => {
    begin();
    say('{"kind":"resync"}');
    expect(sessions).toMatchObject([{ received: ['{"kind":"resync"}'], hasEnded: false }]);
    sessions[0]?.page.send({ kind: 'reply', id: 1, output: null });
    expect(window.contents.sent).toEqual([
      { channel: channels.toPage, args: ['{"kind":"reply","id":1,"output":null}'] },
    ]);
  });

  it('hears nothing before a document begins', () => {
    say('{"kind":"resync"}');
    expect(sessions).toEqual([]);
  });

  const strange: readonly [string, () => { sender?: object; senderFrame?: object | null }][] = [
    ['another window', () => ({ sender: makeWindow().contents })],
    ['a frame in the page', () => ({ senderFrame: { url: 'app://lanyard/' } })],
    ['a frame that has gone', () => ({ senderFrame: null })],
  ];
  it.each(strange)('does not hear %s', (_what, from) => {
    send(channels.begin, [], from());
    expect(sessions).toEqual([]);
    begin();
    send(channels.toBroker, ['{"kind":"resync"}'], from());
    expect(sessions).toMatchObject([{ received: [] }]);
  });

  it.each(['https://lanyard/', 'app://lanyard.example/', 'app://other/', 'data:text/html,', 'about:blank'])(
    'does not hear its own frame at %s',
    (url) => {
      begin();
      Object.assign(window.contents.mainFrame, { url });
      say('{"kind":"resync"}');
      begin();
      expect(sessions).toMatchObject([{ received: [] }]);
    },
  );

  it.each([
    ['a number', 7],
    ['an object', { kind: 'resync' }],
    ['nothing', undefined],
    ['a text that is too large', 'x'.repeat(pageMessageLimitBytes + 1)],
    ['one too large in bytes alone', 'é'.repeat(pageMessageLimitBytes / 2 + 1)],
  ])('ends and rejects a page that sends %s', (_what, message) => {
    begin();
    say(message);
    say('{"kind":"resync"}');
    expect(sessions).toMatchObject([{ received: [], hasEnded: true }]);
    expect(refusals).toBe(1);
  });

  it('takes a message of just the limit', () => {
    begin();
    say('x'.repeat(pageMessageLimitBytes));
    expect(sessions[0]?.received).toHaveLength(1);
  });

  it('rejects a page whose messages are invalid to the session', () => {
    begin();
    sessions[0]?.page.refuse();
    expect(sessions[0]?.hasEnded).toBe(true);
    expect(refusals).toBe(1);
  });

  it('rejects a page that sends too much, even one that begins again to send more', () => {
    begin();
    for (let i = 0; i < 1_000; i++) {
      say('{"kind":"resync"}');
    }
    expect(sessions[0]?.received.length).toBeLessThan(400);
    expect(refusals).toBe(1);
    begin();
    expect(refusals).toBe(2);
    clock.advance(10_000);
    begin();
    say('{"kind":"resync"}');
    expect(sessions.at(-1)).toMatchObject({ received: ['{"kind":"resync"}'], hasEnded: false });
  });

  it('rejects a page that begins again and again: each is sent the complete state', () => {
    for (let i = 0; i < 100; i++) {
      begin();
    }
    expect(sessions.length).toBeLessThanOrEqual(16);
    expect(refusals).toBeGreaterThan(0);
  });

  const ends: readonly [string, () => void][] = [
    ['crashes', () => void window.contents.happen('render-process-gone', { reason: 'crashed' })],
    ['goes with its window', () => window.destroy()],
    [
      'is loaded anew',
      () => {
        window.contents.reload();
        begin();
      },
    ],
    ['is left by the app', () => void ipc.dispose()],
  ];
  it.each(ends)('ends the session of a document that %s', (_how, end) => {
    begin();
    end();
    expect(sessions[0]?.hasEnded).toBe(true);
    expect(refusals).toBe(0);
  });

  it('keeps the session of a document whose navigation was blocked, or only changed the fragment', () => {
    begin();
    for (const isSameDocument of [true, false]) {
      window.contents.events.emit('did-start-navigation', { isMainFrame: true, isSameDocument });
    }
    say('{"kind":"resync"}');
    expect(sessions).toMatchObject([{ received: ['{"kind":"resync"}'], hasEnded: false }]);
  });

  it('leaves nothing behind', async () => {
    await ipc.dispose();
    expect(standIn.ipc.events.eventNames()).toEqual([]);
  });
});
