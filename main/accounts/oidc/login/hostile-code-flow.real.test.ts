import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { hostileForFile, trapForFile } from '../../../../test/support/openid/for-file.ts';
import type { HostileRequest } from '../../../../test/support/openid/hostile.ts';
import type { LastPage } from '../../../../test/support/openid/person.ts';
import type { LoggedIn } from '../../../ports/account.ts';
import type { OidcBenchOptions } from '../../testing/oidc-bench.ts';

/** The authorization code flow at a provider that does it wrong: RFC 9700 by its sections. */
const { hostile, open: openBench } = await hostileForFile();
/** Another provider, honest or not: the A of RFC 9700's mix-up, while `hostile` is the attacker's. */
const { hostile: other } = await hostileForFile();
const trap = await trapForFile();
/** A login in a browser. `visit` is what the user’s browser does with the address; by default it follows it. */
function open(
  visit: (address: string, follow: (address: string) => Promise<LastPage>) => Promise<LastPage | null> = (
    address,
    follow,
  ) => follow(address),
  options: OidcBenchOptions = {},
) {
  const pages: Promise<LastPage | null>[] = [];
  const addresses: string[] = [];
  const bench = openBench({
    browser: {
      finds: async () => true,
      available: () => true,
      open: async (address) => {
        addresses.push(address);
        // Kept, not awaited: the last page comes with the login's end.
        const page = visit(address, (one) => hostile.person.open(one));
        page.catch(() => undefined);
        pages.push(page);
        return true;
      },
    },
    ...options,
    config: { flow: 'browser', ...options.config },
  });
  return { ...bench, addresses, lastPage: async () => (await Promise.all(pages)).at(-1) ?? null };
}

/** What a login must leave behind that was refused: nothing, and a page that says so. */
async function expectRefused(
  bench: ReturnType<typeof open>,
  outcome: LoggedIn,
  code: string | RegExp,
): Promise<void> {
  expect(outcome).toMatchObject({ ok: false, code: expect.stringMatching(code) });
  expect(bench.vault.writes).toEqual([]);
  expect(await bench.account.current()).toBeNull();
  const page = await bench.lastPage();
  await bench.expectNothingTold([outcome, page?.html]);
}

const tokenRequests = (): HostileRequest[] => hostile.requests.filter(({ endpoint }) => endpoint === 'token');

test('the provider of these tests is believed while it is honest, and gets the verifier and the redirect URI', async () => {
  const bench = open();
  expect(await bench.login()).toMatchObject({ ok: true, subject: 'alice', flow: 'browser' });
  const asked = new URL(bench.addresses[0] ?? '').searchParams;
  const [exchange] = tokenRequests();
  expect(exchange?.form.get('code_verifier')?.length).toBeGreaterThanOrEqual(43);
  expect(exchange?.form.get('redirect_uri')).toBe(asked.get('redirect_uri'));
});

test('RFC 9700, 2.1.1: PKCE goes along where the provider does not announce it, or announces only plain', async () => {
  for (const methods of [null, [], ['plain']]) {
    hostile.metadata = { code_challenge_methods_supported: methods };
    const bench = open();
    await bench.login();
    expect(new URL(bench.addresses[0] ?? '').searchParams.get('code_challenge_method')).toBe('S256');
    expect(tokenRequests().at(-1)?.form.get('code_verifier')).not.toBeNull();
  }
});

describe('RFC 9700, 4.4 and RFC 9207: mix-up', () => {
  test.each<[string, Record<string, string | null>]>([
    ['of another issuer', { iss: 'https://a.example' }],
    ['that is nearly the same', { iss: 'SLASH' }],
    ['that is empty', { iss: '' }],
    ['that is missing though announced', { iss: null }],
  ])('an iss %s: the code is not used', async (_what, fields) => {
    hostile.authorizationFields = fields['iss'] === 'SLASH' ? { iss: `${hostile.issuer}/` } : fields;
    const bench = open();
    await expectRefused(bench, await bench.login(), 'oidc.callback.issuer');
    expect(tokenRequests()).toEqual([]);
  });

  test('an error of another issuer is not taken for this one’s', async () => {
    hostile.authorizationFields = { code: null, error: 'access_denied', iss: 'https://a.example' };
    const bench = open();
    await expectRefused(bench, await bench.login(), 'oidc.callback.issuer');
  });

  test('without iss, where none is announced, the login works', async () => {
    hostile.metadata = { authorization_response_iss_parameter_supported: null };
    hostile.authorizationFields = { iss: null };
    expect(await open().login()).toMatchObject({ ok: true });
  });

  test('a provider that names another’s login page gets no code of that one', async () => {
    hostile.metadata = {
      authorization_endpoint: `${other.issuer}/authorize`,
      authorization_response_iss_parameter_supported: null,
    };
    const bench = open(async (address) => other.person.open(address));
    await expectRefused(bench, await bench.login(), 'oidc.callback.issuer');
    expect(tokenRequests()).toEqual([]);
  });
});

describe('OpenID Connect Core 3.1.2.1, 15.5.2: the nonce', () => {
  test.each<[string, unknown]>([
    ['missing', null],
    ['another', 'x'],
    ['empty', ''],
    ['a number', 7],
    ['a list', ['x']],
  ])('%s in the id token: no login', async (_what, nonce) => {
    hostile.idToken = { claims: { nonce } };
    const bench = open();
    await expectRefused(bench, await bench.login(), /^oidc\.token\.(nonce|malformed|claims)$/);
  });

  test('RFC 9700, 4.5: a token of another login, injected, is refused', async () => {
    hostile.authorizationFields = { code: 'of-another-login' };
    const bench = open();
    await expectRefused(bench, await bench.login(), /^oidc\.token\.nonce$/);
  });
});

describe('RFC 9700, 4.7: the state', () => {
  /** Visits the login's way back with other parameters first, then as told. */
  const firstWith = (change: (back: URL) => void, seen: LastPage[]) =>
    open(async (address, follow) => {
      const back = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
      change(back);
      seen.push(await hostile.person.open(back.href));
      return follow(address);
    });

  test.each<[string, Record<string, string>]>([
    ['another state', { state: 'x', code: 'attacker' }],
    ['an empty state', { state: '', code: 'attacker' }],
    ['no state', { code: 'attacker' }],
    ['an error with another state', { state: 'x', error: 'access_denied' }],
    ['nothing', {}],
  ])('%s is ignored, and the login goes on', async (_what, parameters) => {
    const seen: LastPage[] = [];
    const bench = firstWith((back) => {
      back.search = new URLSearchParams(parameters).toString();
    }, seen);
    expect(await bench.login()).toMatchObject({ ok: true });
    expect(seen[0]?.status).toBeGreaterThanOrEqual(400);
    expect(tokenRequests().some(({ form }) => form.get('code') === 'attacker')).toBe(false);
  });

  test.each<[string, (back: URL) => void]>([
    ['another path', (back) => (back.pathname = '/callback/other')],
    ['a path below', (back) => (back.pathname += '/x')],
    ['the root', (back) => (back.pathname = '/')],
    ['another name of this host', (back) => (back.hostname = 'localhost')],
  ])('%s is not the way back', async (_what, change) => {
    const seen: LastPage[] = [];
    const bench = firstWith(change, seen);
    expect(await bench.login()).toMatchObject({ ok: true });
    expect(seen[0]?.status).toBe(404);
  });

  test('two states, or two codes, are no answer', async () => {
    for (const twice of ['state', 'code'] as const) {
      const bench = open(async (address, follow) => {
        const asked = new URL(address).searchParams;
        const back = new URL(asked.get('redirect_uri') ?? '');
        back.search = new URLSearchParams([
          ['state', asked.get('state') ?? ''],
          ['code', 'attacker'],
          ['iss', hostile.issuer],
          twice === 'state' ? ['state', 'x'] : ['code', 'y'],
        ]).toString();
        const page = await hostile.person.open(back.href);
        return twice === 'state' ? follow(address) : page;
      });
      const outcome = await bench.login();
      if (twice === 'state') {
        expect(outcome).toMatchObject({ ok: true });
      } else {
        await expectRefused(bench, outcome, 'oidc.callback.malformed');
      }
      expect(tokenRequests().some(({ form }) => form.get('code') === 'attacker')).toBe(false);
    }
  });

  test('RFC 9700, 4.5: an answer that comes twice is used once; a tab that comes again sees the end', async () => {
    const answers: string[] = [];
    const bench = open(async (address, follow) => {
      const page = await follow(address);
      answers.push(...page.redirects);
      return page;
    });
    expect(await bench.login()).toMatchObject({ ok: true });
    await bench.lastPage();
    const again = answers.at(-1) ?? '';
    expect(again).toContain('state=');
    expect(await hostile.person.open(again)).toMatchObject({
      status: 200,
      html: expect.stringContaining('You are logged in'),
    });
    expect(tokenRequests()).toHaveLength(1);
  });

  test('an answer that comes twice at once is one use of the code', async () => {
    hostile.scripts.authorization = ({ query }) => {
      const back = new URL(query.get('redirect_uri') ?? '');
      const answer = { code: 'once', state: query.get('state') ?? '', iss: hostile.issuer };
      back.search = new URLSearchParams(answer).toString();
      void hostile.person.open(back.href).catch(() => undefined);
      return { status: 302, headers: { location: back.href }, body: '' };
    };
    // Whichever of the two comes second may find that nothing listens any more.
    const bench = open((address, follow) => follow(address).catch(() => null));
    // The code is none of this login's, so the token has no nonce.
    await expectRefused(bench, await bench.login(), 'oidc.token.nonce');
    expect(tokenRequests()).toHaveLength(1);
  });
});

describe('a code', () => {
  test('RFC 9700, 4.12: goes to no other host with a 307', async () => {
    hostile.scripts.token = () => ({ status: 307, headers: { location: `${trap.address}/token` }, body: '' });
    const bench = open();
    await expectRefused(bench, await bench.login(), 'oidc.token.status');
    expect(trap.requests).toEqual([]);
  });

  test.each<[string, Record<string, string | null>]>([
    ['with an access token beside it', { access_token: 'x' }],
    ['with an id token beside it', { id_token: 'x' }],
    ['as an answer object', { code: null, response: 'x.y.z' }],
    ['that is empty', { code: '' }],
    ['that is missing', { code: null }],
    ['with an error beside it', { error: 'access_denied' }],
  ])('RFC 9700, 2.1.2: %s is no answer to this request', async (_what, fields) => {
    hostile.authorizationFields = fields;
    const bench = open();
    await expectRefused(bench, await bench.login(), 'oidc.callback.malformed');
    expect(tokenRequests()).toEqual([]);
  });
});

describe('the authorization endpoint', () => {
  test.each<[string, string]>([
    ['plain http', 'http://id.example.com/authorize'],
    ['a script', 'javascript:alert(1)//'],
    ['a file', 'file:///etc/passwd'],
    ['another program', 'ssh://-oProxyCommand=x'],
    ['an address with a user name', 'https://id.example.com@a.example/'],
    ['longer than an address is', `https://a.example/${'x'.repeat(100_000)}`],
    ['empty', ''],
    ['a path', '/authorize'],
  ])(
    'RFC 9700, 2.6: that is %s is not opened, and not shown (rule: safe-addresses)',
    async (_what, endpoint) => {
      hostile.metadata = { authorization_endpoint: endpoint };
      const bench = open();
      await expectRefused(bench, await bench.login(), /^oidc\.(authorization|discovery)\./);
      expect(bench.addresses).toEqual([]);
    },
  );

  test('can’t choose what Lanyard asks for by its own query', async () => {
    hostile.metadata = {
      authorization_endpoint: `${hostile.issuer}/authorize?state=x&nonce=y&code_challenge_method=plain&redirect_uri=https://a.example&response_type=token&client_id=z&p=1`,
    };
    const bench = open();
    expect(await bench.login()).toMatchObject({ ok: true });
    const asked = new URL(bench.addresses[0] ?? '').searchParams;
    expect(asked.getAll('state')).toHaveLength(1);
    expect(asked.getAll('redirect_uri')).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:/)]);
    expect(asked.getAll('code_challenge_method')).toEqual(['S256']);
    expect(asked.getAll('response_type')).toEqual(['code']);
    expect(asked.getAll('client_id')).toEqual(['kubernetes']);
    expect(asked.get('p')).toBe('1');
  });

  test.each<[string, string, string]>([
    ['denied', 'access_denied', 'oidc.browser.denied'],
    ['refused', 'invalid_scope', 'oidc.authorization.error'],
    ['called like something every object has', 'constructor', 'oidc.authorization.error'],
  ])('an error, %s, is told with its words made harmless', async (_what, error, code) => {
    hostile.authorizationFields = {
      code: null,
      error,
      error_description: `no\u202e\u001b[2J <b>\r\n${'x'.repeat(5000)}`,
    };
    const bench = open();
    const outcome = await bench.login();
    await expectRefused(bench, outcome, code);
    expect(outcome.ok ? '' : outcome.message.length).toBeLessThan(500);
    expect((await bench.lastPage())?.html).not.toContain('<b>');
    expect(outcome.ok ? undefined : typeof (outcome.hint ?? '')).toBe('string');
  });
});

describe('RFC 9700, 4.11: the way back', () => {
  test('never sends the browser anywhere, whatever it is told', async () => {
    const seen: LastPage[] = [];
    const bench = open(async (address, follow) => {
      const back = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
      for (const name of ['redirect_uri', 'url', 'next', 'return_to', 'target_link_uri', 'iss']) {
        back.search = new URLSearchParams({ [name]: trap.address, state: 'x' }).toString();
        seen.push(await hostile.person.open(back.href));
      }
      return follow(address);
    });
    expect(await bench.login()).toMatchObject({ ok: true });
    const last = await bench.lastPage();
    for (const page of seen) {
      expect(page.redirects).toEqual([]);
      expect(page.html).not.toContain(trap.address);
    }
    // From the provider to the way back, and no further.
    expect(last?.redirects).toHaveLength(1);
    expect(last?.html).not.toMatch(/http-equiv=.?refresh|location/i);
    expect(trap.requests).toEqual([]);
  });

  test('its pages hold no code, no state and no token, and let nothing in', async () => {
    const raw: string[] = [];
    const bench = open(async (address) => {
      const { redirects } = await hostile.person
        .open(address)
        .catch(() => ({ redirects: [] as readonly string[] }));
      raw.push(...redirects);
      return null;
    });
    const outcome = await bench.login();
    expect(outcome).toMatchObject({ ok: true });
    await bench.lastPage();
    await bench.expectNothingTold(outcome, [new URL(raw.at(-1) ?? '').searchParams.get('code') ?? '']);
  });

  test('who connects and says nothing, or nonsense, holds up no login', async () => {
    const bench = open(async (address, follow) => {
      const { port } = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
      for (const bytes of [
        '',
        'x'.repeat(200_000),
        '\u0016\u0003\u0001\u0000',
        'GET /callback HTTP/1.1\r\n',
      ]) {
        const socket = connect(Number(port), '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(bytes);
      }
      return follow(address);
    });
    expect(await bench.login()).toMatchObject({ ok: true });
  });

  test('a claim that is markup is text on the end page', async () => {
    hostile.idToken = { claims: { email: '<script src=//a.example></script>', name: '"><img>' } };
    const bench = open();
    expect(await bench.login()).toMatchObject({ ok: true });
    const html = (await bench.lastPage())?.html ?? '';
    expect(html).toContain('&lt;script');
    expect(html).not.toContain('<script src');
    expect(html).not.toContain('<img');
  });
});
