import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AppProgram, startApp } from '../support/electron/program.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { start } from '../support/processes.ts';
import { type SecretService, startSecretService } from '../support/secret-service.ts';
import { until } from '../support/stage.ts';

/**
 * The desktop app's page in somebody else's hands: it says to the built app whatever it likes, as its preload would carry
 * it. Broker, helper and keychain are real, Electron is the stand-in: what Chromium keeps it from isn't shown here.
 */
let home: TestHome;
let keyring: SecretService;
let app: AppProgram;
const server = 'https://127.0.0.1:6443';

/** The tests around it have one app, whose page begins anew with each. */
function onOneApp(): void {
  beforeAll(async () => {
    home = makeHome();
    keyring = await startSecretService();
    home.writeConfig({
      version: 1,
      accounts: { bot: { staticToken: {} } },
      clusters: { prod: { server, account: 'bot', approval: 'always' } },
    });
    const { DBUS_SESSION_BUS_ADDRESS = '', XDG_RUNTIME_DIR = '' } = keyring.env;
    app = await startApp({ home, words: [], env: { DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR } });
    const set = await home.lanyard(['secret', 'set', 'bot/token'], { input: 'canary-token\n' });
    expect(set.code, set.stderr).toBe(0);
    await until(() => app.evaluate(({ windows }) => windows[0]?.loaded[0] ?? null), 'a window');
  });
  // As a new page does: the one before may have been ended by what it sent.
  beforeEach(begin);
  afterAll(async () => {
    await app?.dispose();
    await keyring?.[Symbol.asyncDispose]();
    home?.dispose();
  });
}

function begin(): Promise<unknown> {
  return app.evaluate((standIn) => {
    const contents = standIn.windows[0]?.contents;
    standIn.ipc.events.emit('lanyard:begin', { sender: contents, senderFrame: contents?.mainFrame });
  });
}

/** The page says these, one after the other. */
function say(...messages: unknown[]): Promise<unknown> {
  return app.evaluate((standIn, given) => {
    const contents = standIn.windows[0]?.contents;
    for (const message of given) {
      const from = { sender: contents, senderFrame: contents?.mainFrame };
      standIn.ipc.events.emit('lanyard:to-broker', from, message);
    }
  }, messages);
}

interface Said {
  kind: string;
  id?: number;
  failure?: { code: string };
  output?: unknown;
  entries?: [
    string,
    string,
    { ended?: unknown; cluster?: string; notificationsPausedUntil?: number | null } | null,
  ][];
}
/** All that came to the page. */
async function heard(): Promise<Said[]> {
  const texts = await app.evaluate((standIn) =>
    (standIn.windows[0]?.contents.sent ?? []).map(({ args }) => String(args[0])),
  );
  return texts.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text) as Said);
}
let lastId = 0;
async function call(name: string, input: unknown): Promise<Said> {
  lastId += 1;
  const id = lastId;
  await say(JSON.stringify({ kind: 'call', id, name, input }));
  return until(
    async () => (await heard()).find((each) => each.id === id && each.kind !== 'progress') ?? null,
    name,
  );
}

/** kubectl in a script: nobody sits at a terminal. */
function ask() {
  const info = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive: false, cluster: { server } },
  };
  const running = start(builtHelper, ['kube-credential', '--account', 'bot'], {
    env: { ...home.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
  });
  running.closeInput();
  return running;
}

const question = () =>
  until(async () => {
    const entries = (await heard()).flatMap((each) => each.entries ?? []);
    return entries.findLast(([section, , value]) => section === 'questions' && value?.ended === null)?.[1];
  }, 'a question');

describe('a page that was taken over (rule: approval-outside-page)', () => {
  onOneApp();

  it('gives no program a credential: not by an answer, a window, or the window’s own address', async () => {
    const kubectl = ask();
    const id = await question();
    for (const answer of ['once', 'terminal', 'policy', 'yes']) {
      expect((await call('question.answer', { id, answer })).failure?.code).toMatch(
        /^(question\.answer|ui\.input)$/,
      );
    }
    expect((await call('question.answer', { id, answer: { name: 'evil' } })).failure?.code).toBe('ui.input');
    expect((await call('window.open', { what: 'question', id })).kind).toBe('reply');

    const tried = await app.evaluate(async (standIn) => {
      const dialog = standIn.windows.at(-1);
      const address = dialog?.loaded[0] ?? '';
      const pages = standIn.sessions.get('lanyard-pages');
      const served = await pages?.request(address).then(
        () => 'served',
        () => 'nobody serves it',
      );
      const said = JSON.stringify(standIn.windows[0]?.contents.sent ?? []);
      return {
        isDialog: address.startsWith('lanyard-dialog:'),
        letsOut: pages?.letsOut(address),
        served,
        isTold: said.includes(address.slice(-20)),
      };
    });
    expect(tried).toEqual({ isDialog: true, letsOut: false, served: 'nobody serves it', isTold: false });

    // A Yes in the dialog that comes sooner than anybody reads, as a click does that was meant for the page.
    const soon = await app.evaluate(async (standIn) => {
      const dialog = standIn.windows.at(-1);
      const address = dialog?.loaded[0] ?? '';
      const dialogs = standIn.sessions.get('lanyard-dialogs');
      const form = await (await dialogs?.request(address))?.text();
      dialog?.happen('ready-to-show');
      const token = /name="token" value="([^"]+)"/.exec(form ?? '')?.[1] ?? '';
      const answered = await dialogs?.request(address, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token, answer: 'yes' }).toString(),
      });
      return answered?.status;
    });
    expect(soon).toBe(204);
    expect((await call('question.answer', { id, answer: 'no' })).kind).toBe('reply');
    const { code, stdout } = await kubectl.ended;
    expect([code, stdout]).toEqual([10, '']);
    expect(JSON.stringify(await heard())).not.toContain('canary-token');
  });

  it('hides nothing from the user: what turns notifications or the update check off is asked in a dialog', async () => {
    const notifications = {
      questions: false,
      logins: false,
      ending: false,
      problems: false,
      changes: false,
    };
    const before = readFileSync(home.file('config'), 'utf8');
    const silencing: [string, unknown][] = [
      ['settings.set', { name: 'notifications', value: notifications }],
      ['settings.set', { name: 'updates', value: { check: false } }],
      ['desktop.pauseNotifications', { minutes: 7 * 24 * 60 }],
    ];
    const asked = () =>
      app.evaluate(({ windows }) =>
        windows
          .filter(({ loaded }) => loaded[0]?.startsWith('lanyard-dialog:'))
          .map(({ loaded }) => loaded[0]),
      );
    const earlier = (await asked()).length;
    for (const [index, [name, input]] of silencing.entries()) {
      expect((await call(name, input)).output, name).toMatchObject({ asks: true });
      expect(await asked()).toHaveLength(earlier + index + 1);
    }
    expect(readFileSync(home.file('config'), 'utf8')).toBe(before);
    const desktop = (await heard())
      .flatMap(({ entries }) => entries ?? [])
      .filter(([at]) => at === 'desktop');
    expect(desktop.map(([, , value]) => value?.notificationsPausedUntil)).toEqual(desktop.map(() => null));

    // What tells more is done at once.
    expect((await call('desktop.pauseNotifications', { minutes: null })).output).toEqual({ asks: false });
    expect((await call('settings.set', { name: 'updates', value: { check: true } })).output).toEqual({
      held: false,
      asks: false,
    });
  });

  it('doesn’t switch the context of kubectl: a dialog asks', async () => {
    const file = join(home.env['HOME'] ?? '', '.kube', 'config');
    mkdirSync(dirname(file), { recursive: true });
    const kubeconfig = JSON.stringify({
      'current-context': 'dev',
      clusters: [{ name: 'c', cluster: { server } }],
      users: [{ name: 'u', user: {} }],
      contexts: ['dev', 'prod'].map((name) => ({ name, context: { cluster: 'c', user: 'u' } })),
    });
    writeFileSync(file, kubeconfig);
    expect((await call('context.use', { context: 'prod' })).output).toEqual({ asks: true });
    expect(readFileSync(file, 'utf8')).toBe(kubeconfig);
  });

  it('sends requests with a credential forty times a minute at most', async () => {
    for (let asked = 0; asked < 40; asked += 1) {
      expect((await call('proxy.try', { cluster: 'prod', path: '' })).failure?.code).toBe('proxy.none');
    }
    expect((await call('proxy.try', { cluster: 'prod', path: '' })).failure?.code).toBe('test.busy');
  });

  it('finds no call and no object behind a name that objects have', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'lock.close.x'];
    for (const name of names) {
      expect((await call(name, { toString: 1 })).failure?.code, name).toBe('ui.unknownCall');
    }
    await say(`{"kind":"call","id":9000,"name":"lock.close","input":{"__proto__":{"polluted":1}}}`);
    await until(async () => (await heard()).find(({ id }) => id === 9000), 'an answer');
    expect(await app.evaluate(() => 'polluted' in {})).toBe(false);
  });
});

// A page is loaded anew three times in a while, and the window is closed then.
describe('a page that was taken over (rule: approval-outside-page)', () => {
  onOneApp();

  it.each<[string, unknown[]]>([
    ['what is no JSON', ['{']],
    ['too often', Array(2_000).fill(JSON.stringify({ kind: 'resync' }))],
    ['depth', [`{"kind":"call","id":1,"name":"lock.close","input":${'['.repeat(100_000)}`]],
  ])('that sends %s is ignored, and the broker keeps running', async (_, messages) => {
    const reloads = () => app.evaluate(({ windows }) => windows[0]?.contents.reloads ?? 0);
    const earlier = await reloads();
    await say(...messages);
    await until(async () => (await reloads()) > earlier || null, 'a new page');
    const before = (await heard()).length;
    await say(JSON.stringify({ kind: 'call', id: 77, name: 'lock.close', input: {} }));
    const status = await home.lanyard(['status']);
    expect(status.code, status.stderr).toBe(0);
    expect(status.stdout).not.toMatch(/locked/i);
    expect((await heard()).slice(before).some(({ id }) => id === 77)).toBe(false);
  });
});
