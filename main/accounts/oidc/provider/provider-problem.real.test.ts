import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createCa, issueServerCertificate } from '../../../../test/support/certificates.ts';
import { providerForFile } from '../../../../test/support/openid/for-file.ts';
import { type Fault, startOpenIdProvider } from '../../../../test/support/openid-provider.ts';
import { Secret } from '../../../base/secret.ts';
import { defaultHttpLimits } from '../../../platform/network/bounded-fetch.ts';
import { FakeVault } from '../../testing/fake-vault.ts';
import { createOidcBench } from '../../testing/oidc-bench.ts';
import { createOidcAccount } from '../oidc-account.ts';

const { provider, open, loggedIn } = await providerForFile();

/** An account whose requests to `endpoint` fail from `begin` to `end`; one that is not answered is not waited for. */
function failing(endpoint: Parameters<typeof provider.setFault>[0], fault: Fault) {
  const limits = { ...defaultHttpLimits };
  return {
    bench: open({ limits }),
    begin() {
      provider.setFault(endpoint, fault);
      limits.totalMilliseconds = fault === slow ? 1000 : limits.totalMilliseconds;
    },
    end() {
      provider.clearFaults();
      Object.assign(limits, defaultHttpLimits);
    },
  };
}
const host = () => new URL(provider.issuer).host;

type Row = [fault: Fault, code: string, message: string];
const slow: Fault = { kind: 'slow', milliseconds: 600_000 };

describe('KEP-541/valid-or-error: a provider that fails at its discovery', () => {
  test.each<Row>([
    [{ kind: 'down' }, 'oidc.discovery.broken', 'closed the connection unexpectedly'],
    [{ kind: 'truncated' }, 'oidc.discovery.broken', 'closed the connection unexpectedly'],
    [{ kind: 'html' }, 'oidc.discovery.notJson', 'answered with something that is not JSON'],
    [{ kind: 'status', status: 500 }, 'oidc.discovery.status', 'is out of order for now (HTTP status 500)'],
    [{ kind: 'status', status: 302 }, 'oidc.discovery.status', 'answered with HTTP status 302'],
    [{ kind: 'huge' }, 'oidc.discovery.tooLarge', 'sent an answer larger than 1 MiB'],
    [slow, 'oidc.timeout', 'did not answer in time'],
    [{ kind: 'wrongIssuer' }, 'oidc.issuer.mismatch', 'says that its issuer is “https://HOST/other”'],
  ])('%j', async (fault, code, message) => {
    const { bench, begin, end } = failing('discovery', fault);
    begin();
    expect(await bench.login()).toMatchObject({
      ok: false,
      reason: 'provider',
      code,
      message: `${host()} ${message.replace('HOST', host())}`,
    });
    end();
    expect((await bench.login()).ok).toBe(true);
  });

  test('that takes no connection', async () => {
    await provider.stopListening();
    try {
      expect(await open().login()).toMatchObject({
        reason: 'provider',
        code: 'oidc.discovery.unreachable',
        message: `${host()} refuses the connection: nothing listens there`,
      });
    } finally {
      await provider.resumeListening();
    }
    provider.setFault('all', { kind: 'down' });
    expect(await open().login()).toMatchObject({ code: 'oidc.discovery.unreachable' });
  });

  test('an issuer that differs by a slash is another one', async () => {
    expect(await open({ config: { issuer: `${provider.issuer}/` } }).login()).toMatchObject({
      code: 'oidc.issuer.mismatch',
      message: `${host()} says that its issuer is “${provider.issuer}”`,
      hint: expect.stringContaining('set issuer'),
    });
  });

  test('is not asked again while what it said is fresh', async () => {
    const bench = await loggedIn();
    const before = provider.counts.requests.discovery;
    await bench.renew();
    expect(provider.counts.requests.discovery).toBe(before);
    bench.clock.advance(3_600_000);
    await bench.renew();
    expect(provider.counts.requests.discovery).toBe(before + 1);
  });
});

describe('KEP-541/valid-or-error: a connection that can’t be trusted', () => {
  test('an unknown CA: none given, or another one', async () => {
    const other = await createCa('Another CA');
    for (const certificateAuthorityPem of [null, other.certificatePem]) {
      expect(await open({ certificateAuthorityPem }).login()).toMatchObject({
        reason: 'provider',
        code: 'oidc.tls.unknownAuthority',
        message: `${host()} presents a certificate of an unknown authority`,
        hint: expect.stringContaining('certificateAuthority'),
      });
    }
  });

  test('a certificate for another host, and one that has ended', async () => {
    const ca = await createCa('Provider CA');
    const notAfter = new Date(Date.now() - 60_000);
    const notBefore = new Date(Date.now() - 3_600_000);
    for (const [certificate, code] of [
      [await issueServerCertificate(ca, ['other.example.com']), 'oidc.tls.wrongHostName'],
      [await issueServerCertificate(ca, ['127.0.0.1'], { notBefore, notAfter }), 'oidc.tls.certificateDates'],
    ] as const) {
      const strange = await startOpenIdProvider({ tls: { ca, certificate } });
      try {
        const bench = createOidcBench(createOidcAccount, strange);
        expect(await bench.login()).toMatchObject({ reason: 'provider', code });
      } finally {
        await strange.dispose();
      }
    }
  });

  test('plain http: to loopback only, and only where the issuer itself is there', async () => {
    const plain = await startOpenIdProvider({ tls: null });
    try {
      const bench = createOidcBench(createOidcAccount, plain);
      expect((await bench.login()).ok).toBe(true);
      expect((await bench.renew()).ok).toBe(true);
    } finally {
      await plain.dispose();
    }
    const config = { issuer: 'http://id.example.com' };
    expect(await open({ config }).login()).toMatchObject({ code: 'oidc.discovery.insecureAddress' });
  });
});

describe('KEP-541/valid-or-error: a provider that fails when a code is asked for', () => {
  test.each<Row>([
    [{ kind: 'down' }, 'oidc.device.broken', 'closed the connection unexpectedly'],
    [{ kind: 'html' }, 'oidc.device.notJson', 'answered with something that is not JSON'],
    [{ kind: 'status', status: 404 }, 'oidc.device.status', 'answered with HTTP status 404'],
    [slow, 'oidc.timeout', 'did not answer in time'],
    [{ kind: 'huge' }, 'oidc.device.tooLarge', 'sent an answer larger than 1 MiB'],
    [
      { kind: 'oauthError', error: 'unauthorized_client', description: 'not \u001b[31mallowed\u202e' },
      'oidc.device.error',
      'refused: unauthorized_client: not [31mallowed',
    ],
    [
      { kind: 'oauthError', error: 'invalid_client', status: 401 },
      'oidc.client.rejected',
      'does not accept this client (invalid_client)',
    ],
  ])('%j', async (fault, code, message) => {
    const { bench, begin } = failing('device_authorization', fault);
    begin();
    expect(await bench.login()).toMatchObject({ reason: 'provider', code, message: `${host()} ${message}` });
  });

  test.each<[Fault, string]>([
    [{ kind: 'html' }, 'oidc.token.notJson'],
    [{ kind: 'huge' }, 'oidc.token.tooLarge'],
    [{ kind: 'wrongIssuer' }, 'oidc.token.issuer'],
    [{ kind: 'unknownKey' }, 'oidc.token.signature'],
    [{ kind: 'unknownKey', sameKeyId: true }, 'oidc.token.signature'],
    [{ kind: 'oauthError', error: 'invalid_grant' }, 'oidc.token.error'],
  ])('or its tokens are wrong: %j', async (fault, code) => {
    const bench = open();
    const outcome = await bench.login('alice', async (userCode) => {
      await provider.person.approveDevice(userCode);
      provider.setFault('token', fault);
    });
    expect(outcome).toMatchObject({ ok: false, reason: 'provider', code });
    expect(bench.vault.writes).toEqual([]);
  });
});

describe('KEP-541/valid-or-error: a provider that fails at a renewal', () => {
  test.each<[fault: Fault, code: string, intent: 'open' | 'cleared']>([
    [{ kind: 'down' }, 'oidc.token.broken', 'open'],
    [{ kind: 'truncated' }, 'oidc.token.broken', 'open'],
    [{ kind: 'html' }, 'oidc.token.notJson', 'open'],
    [{ kind: 'huge' }, 'oidc.token.tooLarge', 'open'],
    [slow, 'oidc.timeout', 'open'],
    [{ kind: 'status', status: 503 }, 'oidc.token.status', 'open'],
    [{ kind: 'status', status: 302 }, 'oidc.token.status', 'open'],
    [{ kind: 'oauthError', error: 'server_error', status: 500 }, 'oidc.token.error', 'open'],
    [{ kind: 'oauthError', error: 'invalid_scope' }, 'oidc.token.error', 'cleared'],
    [{ kind: 'oauthError', error: 'invalid_client', status: 401 }, 'oidc.client.rejected', 'cleared'],
  ])('%j', async (fault, code, intent) => {
    const { bench, begin, end } = failing('token', fault);
    await bench.login();
    const before = bench.session();
    begin();
    expect(await bench.renew()).toMatchObject({ ok: false, reason: 'provider', code });
    expect(bench.session()).toEqual({
      ...before,
      intent: intent === 'open' ? { at: bench.clock.now() } : null,
    });
    expect((await bench.account.current())?.ok).toBe(true);
    // The provider saw none of these but `truncated`: with its next answer all is well.
    end();
    expect((await bench.renew()).ok).toBe(fault.kind !== 'truncated');
  });

  test.each<[Fault, string]>([
    [{ kind: 'down' }, 'oidc.keys.broken'],
    [{ kind: 'html' }, 'oidc.keys.notJson'],
    [{ kind: 'status', status: 404 }, 'oidc.keys.status'],
    [{ kind: 'huge' }, 'oidc.keys.tooLarge'],
    [slow, 'oidc.timeout'],
  ])('its keys: %j', async (fault, code) => {
    const { bench, begin, end } = failing('jwks', fault);
    await bench.login();
    await provider.rotateKeys();
    begin();
    expect(await bench.renew()).toMatchObject({ reason: 'provider', code });
    expect(bench.session()).toMatchObject({ generation: 1, intent: null });
    end();
    expect((await bench.renew()).ok).toBe(true);
  });
});

test('no secret is in anything that is told: outcomes, states, log lines, causes', async () => {
  const { id, secret } = provider.confidentialClient;
  const vault = new FakeVault({ secrets: { corp: { clientSecret: new Secret(secret) } } });
  const bench = open({ vault, config: { clientId: id } });
  const told: unknown[] = [await bench.login(), await bench.login('bob')];
  const faults: Fault[] = [
    { kind: 'wrongIssuer' },
    { kind: 'unknownKey' },
    { kind: 'truncated' },
    { kind: 'html' },
    { kind: 'status', status: 500 },
    { kind: 'oauthError', error: 'invalid_request' },
  ];
  for (const fault of faults) {
    for (const endpoint of ['token', 'jwks', 'device_authorization'] as const) {
      await bench.login();
      if (endpoint === 'jwks') {
        await provider.rotateKeys();
      }
      provider.setFault(endpoint, fault);
      told.push(await bench.renew().catch((error) => error));
      told.push(await bench.login('alice', async () => bench.clock.advance(300_000)));
      told.push(await bench.account.state(), await bench.account.current());
      provider.clearFaults();
    }
  }
  told.push(bench.log.lines, bench.account, vault.writes);
  const text = inspect(told, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true });
  const secrets = vault.writes.flatMap((write) => {
    const session = write.content.sessions['corp'];
    return [session?.refreshToken?.reveal(), session?.token?.value.reveal()];
  });
  expect(new Set(secrets).size).toBeGreaterThan(20);
  expect(told.filter((one) => (one as { ok?: unknown })?.ok === false).length).toBeGreaterThan(12);
  for (const value of [secret, ...secrets]) {
    expect(value === undefined ? false : text.includes(value)).toBe(false);
  }
  expect(text).not.toMatch(/eyJ[\w-]{8,}\./);
  expect(text).not.toContain('airport');
});

describe('a provider that repeats what it was told', () => {
  test('is not repeated in turn, whole or cut off', async () => {
    const bench = await loggedIn();
    const refreshToken = bench.session().refreshToken?.reveal() ?? '';
    expect(refreshToken.length).toBeGreaterThan(20);
    for (const padding of ['', 'x'.repeat(185)]) {
      const description = `${padding} ${refreshToken} is no good`;
      provider.setFault('token', { kind: 'oauthError', error: 'invalid_request', description });
      const told = JSON.stringify([await bench.renew(), bench.log.lines]);
      expect(told).toContain('invalid_request');
      expect(told).not.toContain(refreshToken.slice(0, 8));
    }
  });
});
