import { beforeEach, describe, expect, test } from 'vitest';
import { hostileForFile } from '../../../../test/support/openid/for-file.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../../../../test/support/openid-provider.ts';
import { createOidcBench, type OidcBenchOptions } from '../../testing/oidc-bench.ts';
import { createOidcAccount } from '../oidc-account.ts';

/** What a login that is refused after the provider's answer leaves there: nothing, where that can be helped. */
const { hostile: provider, open: openBench } = await hostileForFile();

function open(flow: 'device' | 'browser', options: OidcBenchOptions = {}) {
  return openBench({
    browser: {
      finds: async () => true,
      available: () => true,
      open: async (address) => {
        provider.person.open(address).catch(() => undefined);
        return true;
      },
    },
    ...options,
    config: { flow, ...options.config },
  });
}

/** What the token endpoint issued, oldest first, while the provider is honest or is told otherwise. */
const issued: Record<'access_token' | 'refresh_token', string>[] = [];
beforeEach(() => {
  issued.length = 0;
  const honest = provider.honest('token');
  provider.scripts.token = (request) => {
    const answer = honest(request);
    issued.push((answer as { body: (typeof issued)[number] }).body);
    return answer;
  };
});
const revoked = () =>
  provider.requests
    .filter(({ endpoint }) => endpoint === 'revocation')
    .map(({ form }) => [form.get('token'), form.get('token_type_hint')]);
const lastRefreshToken = () => [issued.at(-1)?.refresh_token, 'refresh_token'];

describe.each(['device', 'browser'] as const)('by %s', (flow) => {
  test('as another user: what was issued is revoked, and the session of the account is not', async () => {
    const bench = open(flow);
    await bench.login();
    const before = bench.session();
    provider.idToken = { claims: { sub: 'bob' } };
    const outcome = await bench.login();
    expect(outcome).toMatchObject({ ok: false, code: 'oidc.subject.other' });
    expect(revoked()).toEqual([lastRefreshToken()]);
    expect(bench.session()).toEqual(before);
    await bench.expectNothingTold(outcome);
  });

  test('without an id token, where no one is logged in', async () => {
    provider.tokenFields = { id_token: null };
    expect(await open(flow).login()).toMatchObject({ ok: false, code: 'oidc.login.noIdToken' });
    expect(revoked()).toEqual([lastRefreshToken()]);
  });

  test('without a refresh token: the access token is revoked', async () => {
    provider.tokenFields = { id_token: null, refresh_token: null };
    await open(flow).login();
    expect(revoked()).toEqual([[issued.at(-1)?.access_token, 'access_token']]);
  });

  test('with an id token that fails its checks', async () => {
    provider.idToken = { sign: 'stranger' };
    expect(await open(flow).login()).toMatchObject({ ok: false, code: 'oidc.token.signature' });
    expect(revoked()).toEqual([lastRefreshToken()]);
  });

  test('without an id token, where someone is logged in: left alone, and said', async () => {
    const bench = open(flow);
    await bench.login();
    provider.tokenFields = { id_token: null };
    expect(await bench.login()).toMatchObject({ message: expect.stringContaining('may be of the session') });
    expect(revoked()).toEqual([]);
  });

  test('a cancel while the provider answers: the answer is waited for, and revoked', async () => {
    const bench = open(flow);
    const abort = new AbortController();
    if (flow === 'browser') {
      bench.clock.gate = new Promise(() => undefined);
    }
    const honest = provider.scripts.token ?? provider.honest('token');
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
    const { promise: mayAnswer, resolve: answerNow } = Promise.withResolvers<void>();
    provider.scripts.token = (request) => (response) => {
      const { body } = honest(request) as { body: object };
      isAsked();
      void mayAnswer.then(() => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(body));
      });
    };
    const shown = { showBrowserPage: () => undefined, showDeviceCode: () => undefined };
    const outcome = bench.account.login(shown, { flow: null, atThisMachine: true }, abort.signal);
    await asked;
    abort.abort();
    expect(await outcome).toMatchObject({ ok: false, code: 'oidc.cancelled' });
    answerNow();
    await expect.poll(revoked).toEqual([lastRefreshToken()]);
    expect(bench.vault.writes).toEqual([]);
  });

  test.each<[string, (bench: ReturnType<typeof open>) => unknown]>([
    ['a lock', (bench) => Object.assign(bench.vault, { locked: true })],
    ['another configuration', (bench) => Object.assign(bench.current, { is: false })],
    ['a logout', (bench) => bench.account.logout()],
  ])('%s while the provider answers', async (_what, meanwhile) => {
    const bench = open(flow);
    const honest = provider.scripts.token ?? provider.honest('token');
    provider.scripts.token = (request) => (response) => {
      const { body } = honest(request) as { body: object };
      void Promise.resolve(meanwhile(bench)).then(() => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(body));
      });
    };
    expect(await bench.login()).toMatchObject({ ok: false });
    await expect.poll(revoked).toEqual([lastRefreshToken()]);
  });

  test('as the same person under another configuration: it may be the session that the account has', async () => {
    const bench = open(flow);
    await bench.login();
    bench.current.is = false;
    expect(await bench.login()).toMatchObject({ ok: false, code: 'oidc.session.changed' });
    expect(revoked()).toEqual([]);
  });

  test.each<[string, () => unknown, string]>([
    [
      'the provider fails',
      () => {
        provider.scripts.revocation = () => ({ status: 500, body: '' });
      },
      'could not be ended at',
    ],
    [
      'the provider revokes nothing',
      () => {
        provider.metadata = { revocation_endpoint: null };
      },
      'until it expires, as nothing can be revoked there',
    ],
  ])('%s: the person is told', async (_what, prepare, message) => {
    prepare();
    provider.tokenFields = { id_token: null };
    const outcome = await open(flow).login();
    expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining(message) });
  });
});

test('a provider that keeps sessions apart (oidc-provider): hers goes on, his is gone', async () => {
  const real: OpenIdProvider = await startOpenIdProvider();
  try {
    const bench = createOidcBench(createOidcAccount, real);
    await bench.login('alice');
    const before = new Set(real.issued);
    expect(await bench.login('bob')).toMatchObject({ ok: false, code: 'oidc.subject.other' });
    const his = [...real.issued].filter((each) => !before.has(each));
    expect(his.filter((each) => real.knows(each))).toEqual([]);
    expect(await bench.renew()).toMatchObject({ ok: true });
  } finally {
    await real.dispose();
  }
});
