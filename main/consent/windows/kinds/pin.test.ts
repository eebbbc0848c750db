import { beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../base/secret.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import { refuse } from '../../../contract/refusal.ts';
import type { LoggedIn } from '../../../ports/account.ts';
import type { PinQuestion } from '../../../ports/pin-question.ts';
import { pinWindow } from './pin.ts';

let given: (string | null)[];
let over: AbortController;
/** How the login ends. */
let login: PromiseWithResolvers<LoggedIn>;
let isRunning: boolean;
beforeEach(() => {
  given = [];
  over = new AbortController();
  login = Promise.withResolvers();
  isRunning = true;
});

const good: LoggedIn = {
  ok: true,
  subject: 'carol',
  displayName: 'carol',
  issuer: 'work',
  flow: 'pin',
  note: null,
};

function window(asked: Partial<PinQuestion> = {}, account = 'card') {
  const used = (name: string) => [name, { name, config: { account: 'card' } }] as const;
  const config = {
    accounts: new Map([
      ['card', { name: 'card', config: { pkcs11: { module: '/usr/lib/module.so', env: [] } } }],
      ['token', { name: 'token', config: { staticToken: {} } }],
      ['corp', { name: 'corp', config: { oidc: { issuer: 'https://id' } } }],
    ]),
    clusters: new Map([used('prod'), used('staging')]),
    registries: new Map(),
  };
  const logins = { running: () => (isRunning ? login.promise : null) };
  const take = (pin: Secret | null) => void given.push(pin?.reveal() ?? null);
  return pinWindow({ config: { current: () => config as never }, logins }, account, {
    account,
    token: 'work',
    tries: null,
    atPad: false,
    take,
    over: over.signal,
    ...asked,
  });
}

const typed = (pin: string) => ({ pin: new Secret(pin) });

describe('what it shows', () => {
  it('of a login that needs another account’s key, is that account’s token', () => {
    const { content } = window({ account: 'card' }, 'corp');
    expect(content.rows).toEqual([
      ['account', 'card, to log in to corp'],
      ['token', 'work'],
      ['module', '/usr/lib/module.so'],
      ['used for', 'prod, staging'],
    ]);
  });

  it('is whose PIN it takes, by which file, and for what', () => {
    const { content } = window();
    expect(content).toMatchObject({ heading: 'The PIN of work', enter: 'yes', no: 'Cancel' });
    expect(content.rows).toEqual([
      ['account', 'card'],
      ['token', 'work'],
      ['module', '/usr/lib/module.so'],
      ['used for', 'prod, staging'],
    ]);
    expect(content.fields).toMatchObject([{ name: 'pin', kind: 'password', autocomplete: 'new-password' }]);
  });

  it.each<[PinQuestion['tries'], string | undefined, boolean]>([
    [null, undefined, false],
    ['low', undefined, true],
    ['final', 'The next wrong PIN locks the token.', false],
  ])('is what the token says of wrong PINs: %s', (tries, danger, isSaid) => {
    const { content } = window({ tries });
    expect(content.danger).toBe(danger);
    expect(content.text.some((each) => each.startsWith('A wrong PIN was given'))).toBe(isSaid);
  });

  it('is nothing where the account has no token', () => {
    expect(() => window({}, 'token')).toThrow(/has no token/);
    expect(() => window({}, 'gone')).toThrow(/no account named/);
  });
});

describe('an answer', () => {
  it('is given to the token once, and says how the login ended', async () => {
    const submitted = window().submit(typed('1234'), 'yes');
    expect(given).toEqual(['1234']);
    login.resolve(good);
    expect(await submitted).toMatchObject({ kind: 'done', good: true, heading: 'Logged in' });
    expect(given).toEqual(['1234']);
  });

  it('that is wrong is not asked for again: the refusal is shown', async () => {
    const submitted = window().submit(typed('canary'), 'yes');
    const message = 'card: the PIN is wrong; the next wrong one locks the token';
    login.resolve(refuse('loginNeeded', 'pkcs11.pinWrong', message, 'run: lanyard login card'));
    const done = await submitted;
    expect(done).toEqual({
      kind: 'done',
      good: false,
      heading: 'Not logged in',
      text: [`${message}.`, 'Run: lanyard login card'],
    });
    expect(JSON.stringify(done)).not.toContain('canary');
  });

  it('without a PIN costs no try', async () => {
    expect(await window().submit(typed(''), 'yes')).toMatchObject({ kind: 'again' });
    expect(await window().submit({}, 'yes')).toMatchObject({ kind: 'again' });
    expect(given).toEqual([]);
  });

  it('whose login was left meanwhile says so, and one that was ended says why', async () => {
    const left = window().submit(typed('1234'), 'yes');
    login.reject(new Error('no caller waits'));
    expect(await left).toMatchObject({ good: false, text: ['The login was cancelled.'] });
    login = Promise.withResolvers();
    const ended = window().submit(typed('1234'), 'yes');
    login.reject(new BrokerError('login.cancelled', 'lanyard was locked'));
    await expect(ended).rejects.toThrow('lanyard was locked');
  });

  it('after the login is over is too late', async () => {
    expect(await window().over()).toBeNull();
    over.abort();
    expect(await window().over()).toMatch(/has ended/);
    isRunning = false;
    expect(await window().submit(typed('1234'), 'yes')).toMatchObject({ good: false });
  });

  it.each<[string, (kind: ReturnType<typeof window>) => unknown]>([
    ['Cancel', (kind) => kind.refuse()],
    ['a window that is left', (kind) => kind.left?.()],
  ])('of %s gives the token nothing', async (_, how) => {
    await how(window());
    expect(given).toEqual([null]);
  });
});
