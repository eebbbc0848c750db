import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { providerForFile } from '../../../../test/support/openid/for-file.ts';
import { Secret } from '../../../base/secret.ts';
import type { LoggedIn, LoginPrompter } from '../../../ports/account.ts';
import { noSignal, type OidcBenchOptions } from '../../testing/oidc-bench.ts';

const { provider, open } = await providerForFile({ algorithm: 'ES256' });

const opened: string[] = [];
afterEach(() => {
  opened.length = 0;
});

type Shown = Parameters<LoginPrompter['showBrowserPage']>[0];
type Steps = (url: string) => Promise<unknown>;

/** Asks for a refresh token as the standard wants it (OpenID Connect Core, 11). */
const offline = { prompt: 'consent' };

/** An account whose logins run in a browser that does `steps` with the page it is given. */
function setUp(steps: Steps, options: OidcBenchOptions = {}) {
  let done: Promise<unknown> = Promise.resolve();
  const browser = {
    finds: async () => true,
    available: () => true,
    open: async (url: string) => {
      opened.push(url);
      done = steps(url).catch((error: unknown) => error);
      return true;
    },
  };
  const config = { flow: 'auto' as const, extraParams: offline, ...options.config };
  const bench = open({ browser, ...options, config });
  bench.clock.gate = new Promise(() => undefined);
  const shown: Shown[] = [];
  const login = (signal = noSignal, atThisMachine = true): Promise<LoggedIn> =>
    bench.account.login(
      { showBrowserPage: (page) => shown.push(page), showDeviceCode: () => expect.unreachable() },
      { flow: null, atThisMachine },
      signal,
    );
  return { bench, shown, login, page: () => done };
}

const logInAt: Steps = (url) => provider.person.logInAt(url);
const redirectOf = (url: string) => new URL(new URL(url).searchParams.get('redirect_uri') ?? '');

/** Redirects as the provider would, with these parameters instead. */
const comeBack = (parameters: (state: string) => Record<string, string>) => (url: string) => {
  const back = redirectOf(url);
  back.search = new URLSearchParams(parameters(new URL(url).searchParams.get('state') ?? '')).toString();
  return provider.person.open(back.href);
};

/** A tab with the answer to the login that began first. */
const comeLater = () => comeBack((state) => ({ state, code: 'late' }))(opened[0] ?? '');

describe('a login in the browser', () => {
  test('gives a session; the page says who, also to a tab that comes later', async () => {
    const { bench, shown, login, page } = setUp(logInAt);
    expect(await login()).toEqual({
      ok: true,
      subject: 'alice',
      displayName: 'alice@example.com',
      issuer: provider.issuer,
      flow: 'browser',
      note: null,
    });
    expect(bench.session()).toMatchObject({
      subject: 'alice',
      generation: 1,
      refreshToken: expect.anything(),
    });
    expect(await bench.account.state()).toMatchObject({ state: 'ready' });
    expect(shown).toMatchObject([
      { url: opened[0], opened: true, failed: null, trouble: null, expiresInSeconds: 300 },
    ]);
    expect(await page()).toMatchObject({ status: 200, html: expect.stringContaining('alice@example.com') });
    expect(await comeLater()).toMatchObject({
      status: 200,
      html: expect.stringContaining('alice@example.com'),
    });
    expect(await bench.renew()).toMatchObject({ ok: true });
  });

  test('asks by RFC 8252, 7636 and 9700: loopback, the issuer’s path, S256, fresh state and nonce', async () => {
    const { login } = setUp(logInAt, {
      config: { extraParams: { ...offline, audience: 'prod' }, loginHint: 'al' },
    });
    await login();
    await login();
    const [one, two] = opened.map((url) => Object.fromEntries(new URL(url).searchParams));
    expect(opened[0]).toContain(`${provider.issuer}/auth?`);
    expect(one).toMatchObject({
      client_id: provider.clientId,
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid offline_access email groups',
      login_hint: 'al',
      audience: 'prod',
    });
    const path = `/callback/${createHash('sha256').update(provider.issuer).digest('hex').slice(0, 20)}`;
    expect(one?.['redirect_uri']).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+${path}$`));
    for (const name of ['state', 'nonce', 'code_challenge'] as const) {
      expect(one?.[name]).toMatch(/^[\w-]{43}$/);
      expect(one?.[name]).not.toBe(two?.[name]);
    }
  });

  test.each(['http://localhost', 'http://127.0.0.1/callback'])(
    'comes back to %s exactly as it is registered',
    async (redirectUri) => {
      const { login, page } = setUp(logInAt, { config: { redirectUri } });
      expect(await login()).toMatchObject({ ok: true });
      expect(await page()).toMatchObject({ status: 200 });
      const [, host, path] = /^http:\/\/([^/]+)(.*)$/.exec(redirectUri) ?? [];
      const asked = new URL(opened[0] ?? '').searchParams.get('redirect_uri');
      expect(asked).toMatch(new RegExp(`^http://${host}:\\d+${path}$`));
    },
  );

  test('no refresh token: says so, and what to do', async () => {
    const { bench, login, page } = setUp(logInAt, { config: { extraParams: {} } });
    const outcome = await login();
    expect(outcome).toMatchObject({ ok: true, note: expect.stringContaining('gave no refresh token') });
    expect(bench.session().refreshToken).toBeNull();
    expect(await page()).toMatchObject({ html: expect.stringContaining('gave no refresh token') });
  });

  test('whoever asks from afar gets the address, and no page opens here', async () => {
    const { bench, shown, login } = setUp(logInAt, { config: { flow: 'browser' } });
    const abort = new AbortController();
    const outcome = login(abort.signal, false);
    await expect.poll(() => shown).toHaveLength(1);
    expect(shown[0]?.opened).toBe(false);
    expect(opened).toEqual([]);
    await logInAt(shown[0]?.url ?? '');
    expect(await outcome).toMatchObject({ ok: true, flow: 'browser' });
    expect(bench.session().subject).toBe('alice');
  });
});

describe('what goes wrong is told apart, at the terminal and in the browser', () => {
  test.each<[string, Steps, object, string]>([
    [
      'the person says no',
      (url) => provider.person.logInAt(url, { decision: 'deny' }),
      { reason: 'denied', code: 'oidc.browser.denied' },
      'was denied at',
    ],
    [
      'an error of the provider',
      comeBack((state) => ({
        state,
        error: 'server_error',
        error_description: '<fire>',
        iss: provider.issuer,
      })),
      { code: 'oidc.authorization.error', message: expect.stringContaining('server_error: <fire>') },
      '&lt;fire&gt;',
    ],
    [
      'another issuer’s answer (RFC 9207)',
      comeBack((state) => ({ state, code: 'canary-code', iss: 'https://evil.example' })),
      { reason: 'provider', code: 'oidc.callback.issuer' },
      'does not come from',
    ],
    [
      'a code that is not the provider’s',
      comeBack((state) => ({ state, code: 'canary-code', iss: provider.issuer })),
      { reason: 'provider', code: 'oidc.token.error', message: expect.stringContaining('invalid_grant') },
      'invalid_grant',
    ],
  ])('%s', async (_name, steps, refusal, text) => {
    const { bench, login, page } = setUp(steps);
    const exchanges = provider.counts.tokenRequests.authorization_code;
    expect(await login()).toMatchObject({ ok: false, ...refusal });
    expect(await page()).toMatchObject({ status: 400, html: expect.stringContaining(text) });
    expect(bench.vault.writes).toEqual([]);
    // Another issuer's code never leaves this machine.
    const asked = provider.counts.tokenRequests.authorization_code - exchanges;
    expect(asked).toBe('code' in refusal && refusal.code === 'oidc.token.error' ? 1 : 0);
    expect(inspect([bench.log.lines, await bench.account.state()], { depth: 9 })).not.toContain('canary');
  });

  test('all ports taken: names them', async () => {
    const waits = setUp(async () => undefined);
    const abort = new AbortController();
    const first = waits.login(abort.signal);
    await expect.poll(() => opened).toHaveLength(1);
    const port = Number(redirectOf(opened[0] ?? '').port);
    const { login } = setUp(logInAt, { config: { redirectPorts: [port] } });
    expect(await login()).toMatchObject({
      reason: 'notPermitted',
      code: 'oidc.redirect.portsTaken',
      message: expect.stringContaining(String(port)),
    });
    abort.abort();
    await first;
  });

  test('no redirect: timed out, with the address to register', async () => {
    const { bench, login } = setUp(async () => undefined);
    bench.clock.gate = Promise.resolve();
    expect(await login()).toMatchObject({
      reason: 'timedOut',
      code: 'oidc.browser.expired',
      hint: expect.stringContaining('http://127.0.0.1/callback/'),
    });
    expect(bench.clock.waits).toEqual([300_000, 60_000]);
  });
});

describe('the address of a browser elsewhere, brought by hand', () => {
  async function begin() {
    const { bench, shown } = setUp(logInAt);
    const outcome = bench.account.login(
      { showBrowserPage: (page) => shown.push(page), showDeviceCode: () => expect.unreachable() },
      { flow: 'paste', atThisMachine: true },
      noSignal,
    );
    await expect.poll(() => shown).toHaveLength(1);
    const page = shown[0] as Shown;
    const bring = (address: string) => page.bring(new Secret(address));
    return { bench, outcome, page, bring };
  }

  test('ends the login as the browser itself would; nothing opens here, and nothing more is wanted', async () => {
    const { bench, outcome, page, bring } = await begin();
    expect([page.opened, page.over.aborted, opened]).toEqual([false, false, []]);
    const address = await provider.person.callbackOf(page.url);
    expect(bring(` ${address}\n`)).toBe(true);
    expect(await outcome).toMatchObject({ ok: true, flow: 'browser', subject: 'alice' });
    expect(page.over.aborted).toBe(true);
    expect(bench.session()).toMatchObject({ subject: 'alice' });
  });

  test('what is of another login, another address or a part of it is not taken, and the login goes on', async () => {
    const { outcome, page, bring } = await begin();
    const other = await begin();
    const address = new URL(await provider.person.callbackOf(page.url));
    const strange = new URL(address);
    strange.port = '1';
    const withoutState = new URL(address);
    withoutState.searchParams.delete('state');
    const refused = [
      await provider.person.callbackOf(other.page.url),
      strange.href,
      withoutState.href,
      address.search,
      page.url,
      '',
    ];
    expect(refused.map(bring)).toEqual(refused.map(() => false));
    expect(bring(address.href)).toBe(true);
    expect(await outcome).toMatchObject({ ok: true });
    await other.bench.account.logout();
    other.bring(await provider.person.callbackOf(other.page.url));
    await other.outcome.catch(() => undefined);
  });

  test('an answer of another provider is refused as it is from a browser (RFC 9207)', async () => {
    const { outcome, page, bring } = await begin();
    const address = new URL(await provider.person.callbackOf(page.url));
    address.searchParams.set('iss', 'https://evil.example.com');
    expect(bring(address.href)).toBe(true);
    expect(await outcome).toMatchObject({ ok: false, code: 'oidc.callback.issuer' });
  });
});

test('the account’s own browser is the one that is started; where it can’t be, its name is said', async () => {
  const programs: unknown[] = [];
  const browser = {
    finds: async () => true,
    available: () => true,
    open: async (url: string, program?: unknown) => {
      programs.push(program);
      void logInAt(url);
      return false;
    },
  };
  const { login, shown } = setUp(logInAt, { browser, config: { browser: ['firefox', '-P', 'work'] } });
  expect(await login()).toMatchObject({ ok: true });
  expect(programs).toEqual([['firefox', '-P', 'work']]);
  expect(shown).toMatchObject([{ opened: false, failed: 'firefox' }]);
});

describe('a cancel ends it at once, and a tab that comes later is told', () => {
  const expectTold = () => expect.poll(async () => (await comeLater()).html).toContain('did not work');

  test('while the user is at the provider', async () => {
    const { bench, shown, login } = setUp(async () => undefined);
    const abort = new AbortController();
    const outcome = login(abort.signal);
    await expect.poll(() => shown).toHaveLength(1);
    abort.abort();
    expect(await outcome).toMatchObject({ ok: false, code: 'oidc.cancelled' });
    await expectTold();
    expect(bench.vault.writes).toEqual([]);
  });

  test('while the browser is being opened', async () => {
    const abort = new AbortController();
    const browser = {
      finds: async () => true,
      available: () => true,
      open: (url: string) => {
        opened.push(url);
        abort.abort();
        return new Promise<boolean>(() => undefined);
      },
    };
    const { login, shown } = setUp(logInAt, { browser });
    expect(await login(abort.signal)).toMatchObject({ code: 'oidc.cancelled' });
    expect(shown).toEqual([]);
    await expectTold();
  });

  test('while the code is exchanged: the browser is told, and nothing is stored', async () => {
    const { bench, login, page } = setUp(logInAt);
    provider.setFault('token', { kind: 'slow', milliseconds: 600_000 });
    const abort = new AbortController();
    const before = provider.counts.requests.token;
    const outcome = login(abort.signal);
    await expect.poll(() => provider.counts.requests.token).toBe(before + 1);
    abort.abort();
    expect(await outcome).toMatchObject({ code: 'oidc.cancelled' });
    expect(await page()).toMatchObject({ status: 400, html: expect.stringContaining('did not work') });
    await expectTold();
    expect(bench.vault.writes).toEqual([]);
  });

  test.each<[string, (bench: ReturnType<typeof setUp>['bench']) => unknown]>([
    ['a logout', (bench) => bench.account.logout()],
    ['a change of the configuration', (bench) => Object.assign(bench.current, { is: false })],
  ])('%s in between: the login is dropped, and the browser told', async (_name, between) => {
    const made = setUp(async (url) => {
      await between(made.bench);
      return logInAt(url);
    });
    expect(await made.login()).toMatchObject({ ok: false, code: 'oidc.session.changed' });
    expect(await made.page()).toMatchObject({
      status: 400,
      html: expect.stringContaining('changed meanwhile'),
    });
    expect(made.bench.vault.content.sessions).toEqual({});
  });
});

test('no code, state, nonce or verifier is in anything that is told', async () => {
  for (const steps of [logInAt, comeBack((state) => ({ state, code: 'canary', iss: provider.issuer }))]) {
    const { bench, login, page } = setUp(steps);
    const outcome = await login();
    const { searchParams } = new URL(opened.at(-1) ?? '');
    const text = inspect([outcome, bench.log.lines, await bench.account.state(), await page()], {
      depth: 9,
      showHidden: true,
    }).replaceAll(/url: '[^']*'/g, '');
    for (const secret of ['canary', searchParams.get('nonce') ?? '']) {
      expect(text).not.toContain(secret);
    }
    expect(inspect([outcome, bench.log.lines], { depth: 9 })).not.toContain(searchParams.get('state') ?? '');
  }
});
