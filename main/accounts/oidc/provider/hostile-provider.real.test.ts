import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { hostileForFile, trapForFile } from '../../../../test/support/openid/for-file.ts';
import type { HostileAnswer, HostileEndpoint } from '../../../../test/support/openid/hostile.ts';
import { Secret } from '../../../base/secret.ts';
import { defaultHttpLimits } from '../../../platform/network/bounded-fetch.ts';
import { FakeVault } from '../../testing/fake-vault.ts';
import { noSignal } from '../../testing/oidc-bench.ts';

const { hostile, open, loggedIn } = await hostileForFile();
const trap = await trapForFile();
const nasty = 'a\u202eb\u001b[2Jc\u0000\u009b31m\u2066d\r\ne';

describe('a discovery document', () => {
  const places: [what: string, field: string][] = [
    ['token endpoint', 'token_endpoint'],
    ['key set', 'jwks_uri'],
    ['device endpoint', 'device_authorization_endpoint'],
  ];
  const addresses: [string, () => string][] = [
    ['plain http', () => `${trap.address}/x`],
    ['http to another host', () => 'http://id.example.com/x'],
    ['an address with a user name', () => `https://id.example.com@${new URL(hostile.issuer).host}/token`],
    ['a file', () => 'file:///etc/passwd'],
    ['a script', () => 'javascript:alert(1)'],
    ['data', () => 'data:application/json,{}'],
    ['a path alone', () => '/token'],
    ['nothing', () => ''],
  ];
  // RFC 9700, 2.6 and 4.9; RFC 8414, 2: https. Nothing is sent to any other.
  test.each(
    places.flatMap(([what, field]) => addresses.map(([name, url]) => [what, name, field, url] as const)),
  )('RFC 8414, 2: whose %s is %s is not used', async (_what, _name, field, url) => {
    hostile.metadata = { [field]: url() };
    await open().expectRefusedLogin(/^oidc\.(discovery|token|device|keys)\./);
    expect(trap.requests).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['of another issuer', 'https://a.example'],
    ['whose issuer has one slash more', 'SLASH'],
    ['without an issuer', null],
    ['whose issuer is a list', ['https://a.example']],
    ['whose issuer is a number', 7],
    ['whose issuer would turn a terminal', `https://${nasty}`],
    ['whose issuer is longer than a screen', `https://a.example/${'x'.repeat(100_000)}`],
  ])('OpenID Connect Discovery 4.3: %s', async (_what, issuer) => {
    hostile.metadata = { issuer: issuer === 'SLASH' ? `${hostile.issuer}/` : issuer };
    const bench = open();
    await bench.expectRefusedLogin(/^oidc\.(issuer\.mismatch|discovery\.(malformed|failed))$/);
    const outcome = await bench.login();
    expect(outcome.ok ? '' : outcome.message.length).toBeLessThan(400);
    expect(hostile.count('device')).toBe(0);
  });

  test.each<[string, string]>([
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"https://a.example"'],
    ['nested without end', `${'['.repeat(200_000)}`],
    ['nested deeply, and closed', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['with its prototype set', '{"__proto__":{"issuer":"https://a.example"}}'],
    ['nothing at all', ''],
  ])('that is %s is none', async (_what, body) => {
    hostile.scripts.discovery = () => ({ body });
    await open().expectRefusedLogin(/^oidc\.(discovery\.|issuer\.mismatch)/);
  });
});

describe('a redirect', () => {
  const endpoints: HostileEndpoint[] = ['discovery', 'jwks', 'device', 'token'];
  // RFC 9700, 4.12: a 307 carries the credentials along.
  test.each(
    endpoints.flatMap((endpoint) => [301, 302, 303, 307, 308].map((status) => [endpoint, status] as const)),
  )('RFC 9700, 4.12: of the %s endpoint (%i) is not followed', async (endpoint, status) => {
    hostile.scripts[endpoint] = () => ({
      status,
      headers: { location: `${trap.address}/${endpoint}` },
      body: '{}',
    });
    await open().expectRefusedLogin(/^oidc\.\w+\.status$/);
    expect(trap.requests).toEqual([]);
  });

  test('RFC 9700, 4.12: at a renewal takes no refresh token with it', async () => {
    const bench = await loggedIn();
    hostile.scripts.token = () => ({ status: 307, headers: { location: `${trap.address}/token` }, body: '' });
    await bench.expectRefusedRenewal('oidc.token.status');
    expect(trap.requests).toEqual([]);
  });
});

describe('an answer that is none', () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const never = (): HostileAnswer => (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
  };
  const drip = (): HostileAnswer => (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  };
  const endless = (): HostileAnswer => (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const piece = Buffer.alloc(64 * 1024, 32);
    const more = () => {
      while (!response.destroyed && response.write(piece)) {}
    };
    response.on('drain', more);
    more();
  };
  const headers = (): HostileAnswer => (response) => {
    response.socket?.write(
      `HTTP/1.1 200 OK\r\n${'x-padding: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(10_000)}`,
    );
  };
  const garbage = (): HostileAnswer => (response) => {
    response.socket?.end('\u0000\u0001 not http at all\r\n\r\n');
  };

  const shortLimits = { ...defaultHttpLimits, silenceMilliseconds: 300, totalMilliseconds: 500 };
  const answers: [string, () => HostileAnswer, RegExp][] = [
    ['never comes', never, /^oidc\.timeout$/],
    ['comes byte by byte without an end', drip, /^oidc\.timeout$/],
    ['never expires', endless, /tooLarge$/],
    [
      'is 64 MiB, packed into 64 KiB',
      () => ({ headers: { 'content-encoding': 'gzip' }, body: bomb }),
      /notJson$/,
    ],
    ['has headers without an end', headers, /(broken|timeout)$/],
    ['is no HTTP', garbage, /broken$/],
    ['is a page', () => ({ headers: { 'content-type': 'text/html' }, body: '<html>' }), /notJson$/],
    ['is cut off', () => ({ headers: { 'content-length': '1000' }, body: '{"a":' }), /(broken|timeout)$/],
    ['says another length', () => ({ headers: { 'content-length': '1' }, body: '{}' }), /notJson$/],
    ['is 204', () => ({ status: 204, body: '' }), /\.(status|notJson|malformed|failed)$/],
    ['is 206', () => ({ status: 206, body: '{}' }), /\.status$/],
    [
      'is 401 with a challenge',
      () => ({ status: 401, headers: { 'www-authenticate': 'Basic' }, body: '' }),
      /./,
    ],
  ];
  const endpoints: HostileEndpoint[] = ['discovery', 'device', 'token', 'jwks'];
  test.each(
    endpoints.flatMap((endpoint) =>
      answers.map(([what, make, code]) => [endpoint, what, make, code] as const),
    ),
  )(
    'of the %s endpoint that %s ends the wait, and nothing comes of it',
    async (endpoint, _what, make, code) => {
      // Short for what ends by them alone; else a busy machine would be what ends the wait.
      const isByTime = code.source.includes('timeout');
      const bench = open(isByTime ? { limits: shortLimits } : {});
      if (endpoint !== 'token') {
        hostile.scripts[endpoint] = make;
        await bench.expectRefusedLogin(code);
        return;
      }
      expect(await bench.login()).toMatchObject({ ok: true });
      hostile.scripts.token = make;
      await bench.expectRefusedRenewal(code);
      // The token may have been used, or not: the next try shows it (rule: nothing-lost).
      expect(bench.session().refreshToken).not.toBeNull();
    },
  );
});

describe('RFC 8628: a device answer', () => {
  const pages: [string, unknown][] = [
    ['plain http', 'http://id.example.com/device'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,<script>'],
    ['a file', 'file:///etc/passwd'],
    ['another program', 'ssh://-oProxyCommand=x'],
    ['an address with a user name', 'https://id.example.com@a.example/'],
    ['an address with a password', 'https://x:y@a.example/'],
    ['longer than a screen', `https://a.example/${'x'.repeat(100_000)}`],
    ['empty', ''],
    ['a number', 7],
    ['missing', null],
    ['no address', 'go to the page'],
  ];
  test.each(pages)('3.2: whose page is %s: nothing is shown', async (_what, page) => {
    hostile.deviceFields = { verification_uri: page, verification_uri_complete: null };
    const bench = open();
    let shown = 0;
    const outcome = await bench.account.login(
      { showBrowserPage: () => undefined, showDeviceCode: () => (shown += 1) },
      { flow: null, atThisMachine: true },
      noSignal,
    );
    expect(outcome).toMatchObject({ ok: false, code: expect.stringMatching(/^oidc\.device\./) });
    expect(shown).toBe(0);
    expect(hostile.count('token')).toBe(0);
    await bench.expectNothingTold(outcome);
  });

  /** What a login shows, ended before its first poll. */
  async function shownFor(fields: Record<string, unknown>) {
    hostile.deviceFields = fields;
    const bench = open();
    const shown: { verificationUri: string; verificationUriComplete: string | null; userCode: string }[] = [];
    const abort = new AbortController();
    bench.clock.gate = new Promise(() => undefined);
    const outcome = await bench.account.login(
      {
        showBrowserPage: () => undefined,
        showDeviceCode: (code) => {
          shown.push(code);
          abort.abort();
        },
      },
      { flow: null, atThisMachine: true },
      abort.signal,
    );
    return { outcome, shown: shown[0] };
  }

  test.each(pages.filter(([, page]) => typeof page === 'string' && page !== ''))(
    '3.2: whose page with the code is %s is shown without it',
    async (_what, page) => {
      const { shown } = await shownFor({ verification_uri_complete: page });
      expect(shown?.verificationUri).toBe(`${hostile.issuer}/device-page`);
      expect(shown?.verificationUriComplete).toBeNull();
    },
  );

  test('3.2: control and direction characters in what is shown are made harmless', async () => {
    const { shown } = await shownFor({
      user_code: nasty,
      verification_uri: `https://a.example/${nasty}?${nasty}#${nasty}`,
      verification_uri_complete: `https://a.example/${nasty}`,
    });
    expect(shown?.userCode).toBe('a b [2Jc 31m d e');
    for (const address of [shown?.verificationUri, shown?.verificationUriComplete]) {
      expect(address).toMatch(/^https:\/\/a\.example\/[\x21-\x7e]*$/);
    }
  });

  test('3.2: a host that looks like another is shown as it is on the wire', async () => {
    const { shown } = await shownFor({ verification_uri: 'https://id.ex\u0430mple.com/device' });
    expect(shown?.verificationUri).toMatch(/^https:\/\/id\.xn--/);
  });

  test('3.2: a code of a hundred thousand letters does not flood a terminal (rule: bounded-input)', async () => {
    const { shown } = await shownFor({ user_code: 'X'.repeat(100_000) });
    expect(shown?.userCode.length).toBeLessThanOrEqual(64);
  });

  test.each<[string, Record<string, unknown>]>([
    ['no device code', { device_code: null }],
    ['an empty device code', { device_code: '' }],
    ['a device code that is a number', { device_code: 7 }],
    ['no user code', { user_code: null }],
    ['an empty user code', { user_code: '' }],
    ['no life', { expires_in: null }],
    ['a life of 0', { expires_in: 0 }],
    ['a negative life', { expires_in: -300 }],
    ['a life that is a word', { expires_in: 'soon' }],
    ['an interval of 0', { interval: 0 }],
    ['a negative interval', { interval: -5 }],
    ['an interval that is a word', { interval: 'often' }],
  ])('3.2: with %s: refused, or asked no more often than once a second', async (_what, fields) => {
    hostile.deviceFields = fields;
    const bench = open();
    const outcome = await bench.login();
    if (outcome.ok) {
      expect(bench.clock.waits.every((wait) => wait >= 1000)).toBe(true);
    } else {
      expect(outcome.code).toMatch(/^oidc\.device\./);
      expect(bench.vault.writes).toEqual([]);
      expect(hostile.count('token')).toBe(0);
    }
    await bench.expectNothingTold(outcome);
  });

  test.each<[string, Record<string, unknown>]>([
    ['a huge interval', { interval: 1e12 }],
    ['an interval beyond all numbers', { interval: 1e300 }],
    ['an interval with a fraction', { interval: 1.5 }],
    ['an interval as a text', { interval: '7' }],
    ['a huge life', { expires_in: 1e300 }],
    ['no interval', { interval: null }],
  ])('3.5: with %s: the wait is at least a second, and no longer than an hour', async (_what, fields) => {
    hostile.deviceFields = fields;
    const bench = open();
    const outcome = await bench.login();
    expect(bench.clock.waits.every((wait) => wait >= 1000 && wait <= 3_600_000)).toBe(true);
    expect(outcome.ok || /^oidc\.device\./.test(outcome.code)).toBe(true);
  });

  test('3.5: a provider that says slow_down for ever is not asked for ever', async () => {
    hostile.scripts.token = () => ({ status: 400, body: { error: 'slow_down' } });
    const bench = open();
    await bench.expectRefusedLogin('oidc.device.expired');
    expect(hostile.count('token')).toBeLessThan(30);
  });
});

describe('what a provider says', () => {
  const clientSecret = 'canary s3cret/+%&=';
  const withSecret = () =>
    open({ vault: new FakeVault({ secrets: { corp: { clientSecret: new Secret(clientSecret) } } }) });

  test.each<[string, (said: string) => unknown]>([
    ['the error', (said) => ({ error: said })],
    ['the description', (said) => ({ error: 'invalid_request', error_description: said })],
    ['the address', (said) => ({ error: 'invalid_request', error_uri: `https://a.example/${said}` })],
    ['another field', (said) => ({ error: 'invalid_request', more: said })],
  ])('%s: what it was told is not repeated, in any form that it was told in', async (_what, body) => {
    hostile.scripts.token = (request) => {
      const told = [
        ...request.form.values(),
        request.headers.authorization ?? '',
        new URLSearchParams([...request.form]).toString(),
        Buffer.from(request.headers.authorization?.split(' ')[1] ?? '', 'base64').toString(),
      ].join(' ');
      return { status: 400, body: body(told) };
    };
    const bench = withSecret();
    const outcome = await bench.login();
    expect(outcome.ok).toBe(false);
    const basic = Buffer.from(`kubernetes:${new URLSearchParams({ s: clientSecret }).toString().slice(2)}`);
    await bench.expectNothingTold(outcome, [
      clientSecret,
      encodeURIComponent(clientSecret),
      new URLSearchParams({ s: clientSecret }).toString().slice(2),
      basic.toString('base64'),
    ]);
  });

  test.each<[string, HostileEndpoint]>([
    ['when a code is asked for', 'device'],
    ['when it is polled', 'token'],
  ])('%s: control and direction characters and long words are made harmless', async (_what, endpoint) => {
    hostile.scripts[endpoint] = () => ({
      status: 400,
      body: { error: `x${nasty}`, error_description: `${nasty}${'y'.repeat(100_000)}` },
    });
    const bench = open();
    const outcome = await bench.login();
    expect(outcome.ok ? '' : outcome.message.length).toBeLessThan(500);
    await bench.expectNothingTold(outcome);
  });

  test.each<[string, unknown]>([
    ['a list', ['invalid_grant']],
    ['an object', { toString: 'x' }],
    ['a number', 7],
    ['null', null],
    ['nothing', ''],
  ])('an error that is %s ends no login', async (_what, error) => {
    const bench = await loggedIn();
    hostile.scripts.token = () => ({ status: 400, body: { error, error_description: error } });
    await bench.expectRefusedRenewal(/^oidc\.token\./);
    expect(bench.session().refreshToken).not.toBeNull();
  });

  test('an error that is called like something every object has is just an error', async () => {
    for (const error of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      hostile.scripts.token = () => ({ status: 400, body: { error } });
      await open().expectRefusedLogin('oidc.token.error');
    }
  });

  test('a 200 that holds an error has no tokens in it', async () => {
    hostile.scripts.token = () => ({ body: { error: 'invalid_grant' } });
    await open().expectRefusedLogin(/^oidc\.token\./);
  });

  test('cookies are not kept, nor sent back', async () => {
    const cookie = { 'set-cookie': 'a=b; Path=/' };
    hostile.scripts.device = () => ({
      headers: cookie,
      body: {
        device_code: 'd',
        user_code: 'u',
        verification_uri: `${hostile.issuer}/device-page`,
        expires_in: 300,
      },
    });
    const bench = await loggedIn();
    await bench.renew();
    expect(hostile.requests.length).toBeGreaterThan(3);
    expect(hostile.requests.filter((request) => request.headers.cookie !== undefined)).toEqual([]);
  });

  test('the client’s secret goes to the token and device endpoints, and nowhere else', async () => {
    const bench = withSecret();
    expect(await bench.login()).toMatchObject({ ok: true });
    expect(await bench.renew()).toMatchObject({ ok: true });
    const authorized = hostile.requests.filter(
      ({ headers, form }) => headers.authorization !== undefined || form.has('client_secret'),
    );
    expect(new Set(authorized.map((request) => request.endpoint))).toEqual(new Set(['device', 'token']));
    // RFC 9700, 2.4 and 4.3.2: no secret in an address.
    expect(hostile.requests.filter(({ query }) => query.size > 0)).toEqual([]);
  });
});
