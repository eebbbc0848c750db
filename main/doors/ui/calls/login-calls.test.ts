import { beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { Secret } from '../../../base/secret.ts';
import type { WindowKind } from '../../../consent/windows/window-kind.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import type { CallProgress } from '../../../contract/ui/calls/index.ts';
import { Logins } from '../../../grants/logins.ts';
import type { Account, LoggedIn, LoginPrompter } from '../../../ports/account.ts';
import { silentLog } from '../../../ports/log.ts';
import type { PinQuestion } from '../../../ports/pin-question.ts';
import { createLoginCalls } from './login-calls.ts';

/** A token’s PIN: asked in a window of the broker’s own, of which the page hears only that it is open. */
let opened: { kind: WindowKind; command: string | null }[];
let canOpen: boolean;
/** What the token got. */
let given: (string | null)[];
let asked: PinQuestion | null;
/** The token takes its PIN at its own pad. */
let atPad: boolean;
let calls: ReturnType<typeof createLoginCalls>;
beforeEach(() => {
  [opened, given, asked, canOpen, atPad] = [[], [], null, true, false];
  const account = { name: 'card', kind: 'pkcs11', login: logIn } as unknown as Account;
  const clock = new ManualClock();
  const config = { accounts: new Map([['card', { config: { pkcs11: { module: '/m.so' } } }]]) };
  const current = () => ({ ...config, clusters: new Map(), registries: new Map() }) as never;
  const directory = { account: () => ({ ok: true as const, account }), peekAccount: () => account };
  calls = createLoginCalls({
    directory,
    logins: new Logins({
      clock,
      log: silentLog,
      recorder: { record: () => undefined },
      onDone: () => undefined,
    }),
    gate: () => null,
    browser: { available: () => true, open: async () => true } as never,
    recorder: { record: () => undefined },
    grants: { forget: () => undefined },
    config: { current },
    windows: {
      async open(kind, command) {
        if (!canOpen) {
          throw new BrokerError('window.none', 'no window can be opened here', { reason: 'notPermitted' });
        }
        opened.push({ kind, command });
      },
    },
  });
});

async function logIn(prompter: LoginPrompter, _: unknown, signal: AbortSignal): Promise<LoggedIn> {
  const pin = await new Promise<Secret | null>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    asked = { account: 'card', token: 'work', tries: 'low', atPad, take: resolve, over: signal };
    prompter.askPin?.(asked);
  });
  given.push(pin?.reveal() ?? null);
  const about = { subject: 'carol', displayName: 'carol', issuer: 'work', flow: 'pin', note: null } as const;
  return pin
    ? { ok: true, ...about }
    : { ok: false, reason: 'denied', code: 'pkcs11.noPin', message: 'no PIN was given for card' };
}

/** A page that presses Log in. */
function page() {
  const shown: CallProgress<'account.login'>[] = [];
  const gone = new AbortController();
  const context = { signal: gone.signal, progress: (step: (typeof shown)[number]) => void shown.push(step) };
  const done = calls['account.login']({ account: 'card', flow: null }, context);
  return { shown, gone, done };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('is typed in one window, however many pages wait, and in no page', async () => {
  const [one, other] = [page(), page()];
  await settled();
  expect(opened).toMatchObject([{ kind: { title: 'Enter PIN' }, command: 'lanyard login card' }]);
  const step = { shows: 'pin', token: 'work', tries: 'low', atPad: false, expiresInSeconds: 300 };
  expect([one.shown, other.shown]).toEqual([[step], [step]]);
  await opened[0]?.kind.submit({ pin: new Secret('canary') }, 'yes');
  expect(given).toEqual(['canary']);
  for (const { done, shown } of [one, other]) {
    expect(JSON.stringify([await done, shown])).not.toContain('canary');
  }
});

it('that is not given ends the login', async () => {
  const { done } = page();
  await settled();
  opened[0]?.kind.left?.();
  await expect(done).rejects.toThrow('no PIN was given for card');
});

it('where no window can be opened, that is said, and each page leaves the login', async () => {
  canOpen = false;
  const [one, other] = [page(), page()];
  const without = expect(one.done).rejects.toThrow('no window can be opened here');
  await expect(other.done).rejects.toThrow('no window can be opened here');
  await without;
  expect(given).toEqual([]);
  expect(asked?.over.aborted).toBe(true);
});

it('at the token’s own pad, no window is opened', async () => {
  atPad = true;
  const { shown, gone, done } = page();
  await settled();
  expect(opened).toEqual([]);
  expect(shown).toMatchObject([{ shows: 'pin', atPad: true, expiresInSeconds: 60 }]);
  gone.abort(new Error('left'));
  await expect(done).rejects.toThrow('left');
});
