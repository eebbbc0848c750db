import { beforeEach, describe, expect, it } from 'vitest';
import { createRecordLog } from '../../accounts/testing/record-log.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { type BrokerMessage, callLimit } from '../../contract/ui/messages.ts';
import type { UiHandlers } from './handlers.ts';
import { createUiSession, type UiSession } from './session.ts';

type Handler = (input: unknown, context: { signal: AbortSignal; progress(value: unknown): void }) => unknown;

let handlers: Record<string, Handler>;
let sent: BrokerMessage[];
let refusals: number;
let touches: number;
let resyncs: number;
let log: ReturnType<typeof createRecordLog>;
let session: UiSession;
beforeEach(() => {
  handlers = {};
  sent = [];
  refusals = touches = resyncs = 0;
  log = createRecordLog();
  session = createUiSession({
    handlers: handlers as unknown as UiHandlers,
    feed: {
      changed: () => undefined,
      dispose: () => undefined,
      subscribe: () => ({ resync: () => void resyncs++, dispose: () => undefined }),
    },
    log,
    used: () => void touches++,
    send: (message) => sent.push(message),
    refuse: () => void refusals++,
  });
});

const say = (message: unknown) => session.receive(JSON.stringify(message));
const call = (id: number, name: string, input: unknown = {}) => say({ kind: 'call', id, name, input });
const settle = () => new Promise((resolve) => setImmediate(resolve));
const login = { account: 'corp', flow: null };
const loggedIn = { displayName: 'dev', issuer: 'https://id', note: null };

describe('a call', () => {
  it('is answered with what its schema names, and nothing else (rule: page-without-secrets)', async () => {
    handlers['account.login'] = () => ({ ...loggedIn, refreshToken: 'canary' });
    call(1, 'account.login', login);
    await settle();
    expect(sent).toEqual([{ kind: 'reply', id: 1, output: loggedIn }]);
  });

  it('tells how it goes on', async () => {
    const code = {
      shows: 'deviceCode',
      verificationUri: 'https://id/d',
      userCode: 'AB-CD',
      expiresInSeconds: 60,
    };
    handlers['account.login'] = (_, { progress }) => {
      progress({ ...code, verificationUriComplete: null, deviceCode: 'canary' });
      return loggedIn;
    };
    call(1, 'account.login', login);
    await settle();
    expect(sent).toEqual([
      { kind: 'progress', id: 1, value: { ...code, verificationUriComplete: null } },
      { kind: 'reply', id: 1, output: loggedIn },
    ]);
  });

  it('that is refused says why, and what to do', async () => {
    handlers['lock.open'] = () => {
      throw new BrokerError('vault.locked', 'it is locked', { reason: 'locked', hint: 'lanyard unlock' });
    };
    call(1, 'lock.open');
    await settle();
    const failure = {
      reason: 'locked',
      code: 'vault.locked',
      message: 'it is locked',
      hint: 'lanyard unlock',
    };
    expect(sent).toEqual([{ kind: 'failed', id: 1, failure }]);
    expect(log.lines).toEqual([]);
  });

  it('that fails unexpectedly tells the page nothing of the insides, and the log all', async () => {
    handlers['lock.open'] = () => {
      throw new Error('canary');
    };
    call(1, 'lock.open');
    await settle();
    expect(sent).toMatchObject([{ kind: 'failed', id: 1, failure: { code: 'internal' } }]);
    expect(JSON.stringify(sent)).not.toContain('canary');
    expect(log.lines).toMatchObject([
      { level: 'error', event: 'ui.callFailed', fields: { call: 'lock.open' } },
    ]);
  });

  it.each([
    ['of another name', 'lock.everything', {}, 'ui.unknownCall'],
    ['of every object’s', 'toString', {}, 'ui.unknownCall'],
    ['with an input of another shape', 'account.login', { account: 7 }, 'ui.input'],
    ['without input', 'account.login', null, 'ui.input'],
  ])('%s is refused, and the page stays', async (_, name, input, code) => {
    call(1, name, input);
    await settle();
    expect(sent).toMatchObject([{ kind: 'failed', id: 1, failure: { code } }]);
    expect(refusals).toBe(0);
  });

  it('counts as the user’s, unless the page makes it automatically', async () => {
    handlers['confirm.list'] = () => ({ changes: [], command: 'lanyard confirm' });
    handlers['lock.close'] = () => ({});
    call(1, 'confirm.list');
    await settle();
    expect(touches).toBe(0);
    call(2, 'lock.close');
    await settle();
    expect(touches).toBe(1);
  });
});

describe('what runs', () => {
  let aborted: unknown[];
  beforeEach(() => {
    aborted = [];
    handlers['account.login'] = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push(signal.reason);
          reject(signal.reason);
        });
      });
  });

  it('ends when the page cancels it, without a word more', async () => {
    call(1, 'account.login', login);
    await settle();
    say({ kind: 'cancel', id: 1 });
    await settle();
    expect(aborted).toHaveLength(1);
    expect(sent).toEqual([]);
  });

  it('ends when the page is gone', async () => {
    call(1, 'account.login', login);
    call(2, 'account.login', login);
    await settle();
    session.dispose();
    await settle();
    expect(aborted).toHaveLength(2);
    expect(sent).toEqual([]);
  });

  it('is bounded: a page that asks for too much at once is shown out', async () => {
    for (let id = 1; id <= callLimit; id++) {
      call(id, 'account.login', login);
    }
    expect(refusals).toBe(0);
    call(callLimit + 1, 'account.login', login);
    expect(refusals).toBe(1);
  });

  it('has its own id', () => {
    call(1, 'account.login', login);
    call(1, 'account.login', login);
    expect(refusals).toBe(1);
  });
});

describe('a message', () => {
  it.each([
    '',
    'null',
    '[]',
    '{',
    '{"kind":"reply","id":1}',
    '{"kind":"call","id":0,"name":"lock.open"}',
    '"call"',
  ])('such as %s ends the page', (text) => {
    session.receive(text);
    expect(refusals).toBe(1);
  });

  it('can ask for the whole state', () => {
    say({ kind: 'resync' });
    expect(resyncs).toBe(1);
  });

  it('is not heard after the end', async () => {
    handlers['lock.close'] = () => ({});
    session.dispose();
    call(1, 'lock.close');
    await settle();
    expect([sent.length, touches]).toEqual([0, 0]);
  });
});
