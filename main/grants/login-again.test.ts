import { expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import type { Account, LoginPrompter } from '../ports/account.ts';
import { silentLog } from '../ports/log.ts';
import { Logins } from './logins.ts';

const done = {
  ok: true,
  subject: 's',
  displayName: 'dev',
  issuer: 'https://id.example.com',
  flow: 'device',
  note: null,
} as const;

it('a login that is requested while an abandoned one ends is a separate one', async () => {
  const flows: (string | null)[] = [];
  const account = {
    name: 'corp',
    kind: 'oidc',
    login: (_: LoginPrompter, { flow }: { flow: string | null }, signal: AbortSignal) => {
      flows.push(flow);
      return flow === 'device'
        ? Promise.resolve(done)
        : new Promise((_resolve, reject) => {
            // It takes a while to give up, as a listener that is closed does.
            signal.addEventListener('abort', () => setTimeout(() => reject(signal.reason), 5));
          });
    },
  } as unknown as Account;
  const logins = new Logins({
    clock: new ManualClock(0),
    log: silentLog,
    recorder: { record: () => undefined } as never,
    onDone: () => undefined,
  });
  const prompter = { showBrowserPage: () => undefined, showDeviceCode: () => undefined };
  const left = new AbortController();
  const wish = (flow: 'browser' | 'device') => ({ flow, atThisMachine: true });
  const first = logins.login(account, { prompter, wish: wish('browser'), signal: left.signal });
  left.abort(new Error('another way is wanted'));
  const second = logins.login(account, {
    prompter,
    wish: wish('device'),
    signal: new AbortController().signal,
  });
  await expect(first).rejects.toThrow('another way is wanted');
  expect(await second).toEqual(done);
  expect(flows).toEqual(['browser', 'device']);
});
