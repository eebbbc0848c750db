import { createHash, createPublicKey, X509Certificate } from 'node:crypto';
import { compactVerify, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createCa,
  type IssuedCertificate,
  issueClientCertificate,
  type KeyKind,
} from '../../../../test/support/certificates.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../../../../test/support/openid-provider.ts';
import { Secret } from '../../../base/secret.ts';
import { refuse } from '../../../contract/refusal.ts';
import type { LoginPrompter } from '../../../ports/account.ts';
import { FakeHeldKeys } from '../../testing/fake-held-keys.ts';
import { FakeVault } from '../../testing/fake-vault.ts';
import { createOidcBench, noSignal, type OidcBenchOptions } from '../../testing/oidc-bench.ts';
import { createOidcAccount } from '../oidc-account.ts';

/** How a client proves itself by a key that stays on a token, at a provider that checks it. */
const kinds = ['P-256', 'P-384', 'RSA-2048'] as const;
const schemes: Record<KeyKind, number[]> = {
  'P-256': [0x0403],
  'P-384': [0x0503],
  'RSA-2048': [0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601],
};
const algorithms: [KeyKind, string][] = [
  ['P-256', 'ES256'],
  ['P-384', 'ES384'],
  ...['RS256', 'PS256', 'RS384', 'PS384', 'RS512', 'PS512'].map((each): [KeyKind, string] => [
    'RSA-2048',
    each,
  ]),
];
const pinNeeded = { ok: false, reason: 'loginNeeded', code: 'pkcs11.pinNeeded' };

const issued = {} as Record<KeyKind, IssuedCertificate>;
let provider: OpenIdProvider;
let heldKeys: FakeHeldKeys;

beforeAll(async () => {
  const ca = await createCa('people');
  for (const key of kinds) {
    issued[key] = await issueClientCertificate(ca, { commonName: 'robot', key });
  }
  provider = await startOpenIdProvider({
    clients: kinds.map((kind) => ({
      client_id: kind,
      grant_types: ['refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: [],
      redirect_uris: [],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: {
        keys: [{ ...createPublicKey(issued[kind].keyPem).export({ format: 'jwk' }), use: 'sig', kid: 'one' }],
      },
    })),
  });
});
afterAll(() => provider?.dispose());
beforeEach(() => {
  provider.setDiscovery({});
  heldKeys = new FakeHeldKeys();
});

function open(
  kind: KeyKind,
  { config, pin = null, ...options }: OidcBenchOptions & { pin?: string | null } = {},
) {
  const { chainPem, keyPem } = issued[kind];
  heldKeys.keys.set('card', { chainPem, keyPem, schemes: schemes[kind], pin });
  return createOidcBench(createOidcAccount, provider, {
    heldKeys,
    config: { clientId: kind, clientKeyAccount: 'card', ...config },
    ...options,
  });
}

const sent = () => String(provider.lastRequest('token')?.form['client_assertion']);

describe('an assertion by a key on a token (private_key_jwt)', () => {
  test.each(algorithms)('%s: %s, where the provider asks for it', async (kind, algorithm) => {
    provider.setDiscovery({ token_endpoint_auth_signing_alg_values_supported: ['HS256', algorithm] });
    const bench = open(kind);
    expect(await bench.login()).toMatchObject({ ok: true });
    expect(await bench.renew()).toMatchObject({ ok: true });
    expect(await bench.account.logout()).toMatchObject({ revocation: 'revoked' });

    const { protectedHeader } = await compactVerify(sent(), createPublicKey(issued[kind].keyPem));
    const { raw } = new X509Certificate(issued[kind].chainPem);
    expect(protectedHeader).toEqual({
      alg: algorithm,
      x5t: createHash('sha1').update(raw).digest('base64url'),
      'x5t#S256': createHash('sha256').update(raw).digest('base64url'),
    });
  });

  test('what all providers take comes first, where none says what it takes; with the key’s id where there is one', async () => {
    provider.setDiscovery({ token_endpoint_auth_signing_alg_values_supported: undefined });
    const bench = open('RSA-2048', { config: { clientKeyId: 'one' } });
    expect(await bench.login()).toMatchObject({ ok: true });
    expect(decodeProtectedHeader(sent())).toMatchObject({ alg: 'RS256', kid: 'one' });
  });

  test('counts before a key in the vault', async () => {
    const vault = new FakeVault({ secrets: { corp: { clientKey: new Secret('unreadable') } } });
    const bench = open('P-256', { vault });
    expect(await bench.login()).toMatchObject({ ok: true });
  });

  test('of another key is refused, with whose it is', async () => {
    const bench = open('P-256');
    heldKeys.keys.set('card', { ...issued['RSA-2048'], schemes: schemes['RSA-2048'], pin: null });
    expect(await bench.login()).toMatchObject({
      code: 'oidc.client.rejected',
      hint: expect.stringContaining('the key or certificate of card must be registered there'),
    });
  });

  test('a client without a user is its key', async () => {
    const bench = open('P-256', { config: { flow: 'clientCredentials' } });
    expect(await bench.account.state()).toMatchObject({ state: 'ready' });
    expect(await bench.renew()).toMatchObject({ ok: true });
    expect(heldKeys.signed).toEqual([['card', 0x0403]]);
  });
});

describe('without its PIN', () => {
  const answering = (pin: string): NonNullable<LoginPrompter['askPin']> => {
    return ({ take }) => take(new Secret(pin));
  };

  test('a renewal asks nobody, sends nothing, and costs no session', async () => {
    const askPin = answering('1234');
    const bench = open('P-256', { pin: '1234', askPin });
    expect(await bench.login()).toMatchObject({ ok: true, flow: 'device' });
    const before = [bench.session(), provider.counts.requests.token];
    Object.assign(heldKeys.keys.get('card') ?? {}, { pin: '1234' });
    expect(await bench.renew()).toMatchObject({ ...pinNeeded, hint: 'run: lanyard login card' });
    expect([bench.session(), provider.counts.requests.token]).toEqual(before);
    // The token is still good.
    expect(await bench.account.state()).toMatchObject({
      state: 'ready',
      problem: expect.stringContaining('card'),
    });
    bench.clock.advance(3_600_000);
    expect(await bench.account.state()).toMatchObject({ state: 'loginNeeded' });
  });

  test('a login asks for it; where that was all, it is over with a renewal', async () => {
    const bench = open('P-256', { pin: '1234', askPin: answering('1234') });
    await bench.login();
    Object.assign(heldKeys.keys.get('card') ?? {}, { pin: '1234' });
    const { refresh_token: refreshes, device_code: polls } = provider.counts.tokenRequests;
    const shown = { showBrowserPage: () => undefined, showDeviceCode: () => expect.unreachable() };
    const prompter = { ...shown, askPin: answering('1234') };
    const again = await bench.account.login(prompter, { flow: null, atThisMachine: true }, noSignal);
    expect(again).toMatchObject({ ok: true, flow: 'pin', subject: 'alice', issuer: provider.issuer });
    const counted = { refresh_token: refreshes + 1, device_code: polls };
    expect(provider.counts.tokenRequests).toMatchObject(counted);
  });

  test('where the session has ended, the login goes on', async () => {
    const bench = open('P-256', { pin: '1234', askPin: answering('1234') });
    await bench.login();
    provider.revokeRefreshTokens('alice');
    Object.assign(heldKeys.keys.get('card') ?? {}, { pin: '1234' });
    expect(await bench.login()).toMatchObject({ ok: true, flow: 'device' });
  });

  test.each<[string, LoginPrompter['askPin']]>([
    ['nobody can be asked', undefined],
    ['another is given', answering('9999')],
  ])('%s: the login is refused before the provider is asked', async (_name, askPin) => {
    const bench = open('P-256', { pin: '1234', ...(askPin && { askPin }) });
    const asked = { ...provider.counts.requests };
    expect(await bench.login()).toMatchObject({ ok: false, code: 'pkcs11.noPin' });
    expect(provider.counts.requests).toEqual(asked);
  });

  test('a client without a user says so, and its login asks', async () => {
    const config = { flow: 'clientCredentials' } as const;
    const bench = open('P-256', { config, pin: '1234', askPin: answering('1234') });
    expect(await bench.renew()).toMatchObject(pinNeeded);
    expect(await bench.account.state()).toMatchObject({ state: 'loginNeeded' });
    expect(await bench.login()).toMatchObject({ ok: true, flow: 'clientCredentials' });
    expect(await bench.account.state()).toMatchObject({ state: 'ready' });
  });

  test('an account without a login says which one has it', async () => {
    const bench = open('P-256', { config: { flow: 'serviceAccountToken' }, pin: '1234' });
    expect(await bench.account.state()).toMatchObject({
      state: 'failing',
      problem: 'card: the token needs its PIN',
    });
  });
});

describe('a token that is gone', () => {
  test('between opening and signing: nothing was sent, and the session stays', async () => {
    const bench = open('P-256');
    await bench.login();
    const before = [bench.session(), provider.counts.requests.token];
    const gone = refuse('provider', 'pkcs11.tokenMissing', 'the token card of card was taken out');
    heldKeys.sign = async () => gone;
    expect(await bench.renew()).toEqual(gone);
    expect([bench.session(), provider.counts.requests.token]).toEqual(before);
  });

  test('an answer that is no signature of its kind is none', async () => {
    const bench = open('P-256');
    heldKeys.sign = async () => ({ ok: true, signature: Buffer.from('?') });
    expect(await bench.login()).toMatchObject({ code: 'oidc.client.noSignature' });
  });

  test('doctor names it, and asks the provider for no public client', async () => {
    const bench = open('P-256');
    const asked = provider.counts.requests.token;
    const keys = async () =>
      (await bench.account.examine(noSignal)).filter(({ check }) => check === 'account.keys');
    expect(await keys()).toMatchObject([
      { level: 'ok', message: 'the client of corp proves itself with the key of card' },
    ]);
    heldKeys.refusal = refuse('provider', 'pkcs11.tokenMissing', 'the token is not there', 'put it in');
    expect(await keys()).toMatchObject([{ level: 'problem', message: 'the token is not there' }]);
    expect(provider.counts.requests.token).toBe(asked);
  });
});

test('a certificate that has expired is said before anything is asked', async () => {
  const bench = open('P-256', { config: { clientCertificateAccount: 'card' } });
  bench.clock.advance(400 * 86_400_000);
  const asked = provider.counts.requests.token;
  expect(await bench.login()).toMatchObject({
    code: 'oidc.client.certificate',
    message: expect.stringMatching(/^the certificate of card expired at /),
  });
  expect(provider.counts.requests.token).toBe(asked);
});
