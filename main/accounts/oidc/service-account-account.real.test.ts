import { createHmac } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { providerForFile } from '../../../test/support/openid/for-file.ts';
import type { TokenExchange } from '../../../test/support/openid/token-exchange.ts';
import { Secret } from '../../base/secret.ts';
import { registryTarget } from '../../domain/target/registry-target.ts';
import { clusterName } from '../../domain/target/target.ts';
import type { Account, CredentialRequest } from '../../ports/account.ts';
import { FakeVault } from '../testing/fake-vault.ts';
import { noSignal, type OidcBenchOptions } from '../testing/oidc-bench.ts';

const { provider, open: openBench } = await providerForFile({ exchangeAudiences: ['registry', 'other'] });
const exchange = provider.tokenExchange as TokenExchange;
beforeEach(() => {
  exchange.answer = {};
  exchange.claims = {};
  exchange.records.length = 0;
});

/** A service account’s token, signed by none that Lanyard or the provider knows (rule: service-account-token). */
function tokenOf(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'HS256' })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', JSON.stringify(claims)).update(text).digest('base64url')}`;
}

function open(options: OidcBenchOptions = {}) {
  const { id, secret } = provider.confidentialClient;
  const vault = new FakeVault({ secrets: { corp: { clientSecret: new Secret(secret) } } });
  const bench = openBench({
    vault,
    ...options,
    config: { clientId: id, flow: 'serviceAccountToken', ...options.config },
  });
  const shaped = async (
    token: string,
    audience: string | undefined = 'registry',
    annotations: object = {},
  ) => {
    const registry = { name: 'r', config: { account: 'corp', matchImages: ['a.io'], audience } };
    const found = await bench.account.shapedBy?.({
      target: registryTarget(registry as unknown as Parameters<typeof registryTarget>[0]),
      serviceAccount: { token: new Secret(token), annotations: new Map(Object.entries(annotations)) },
    } as unknown as CredentialRequest);
    if (!found?.ok) {
      throw new Error('no account for the token');
    }
    return found.account;
  };
  return { ...bench, shaped };
}

const soon = Math.floor(Date.now() / 1000) + 3600;

test('the token is exchanged for the registry’s audience as the account’s client, with its scopes and parameters', async () => {
  const bench = open({
    config: {
      scopes: ['openid', 'offline_access', 'pull'],
      extraParams: { connector_id: 'kubernetes', subject_token: 'other', audience: 'other' },
    },
  });
  const token = tokenOf({ sub: 'system:serviceaccount:default:app', exp: soon });
  const annotations = { audience: 'other', account: 'other', role: 'admin' };
  const obtained = await (await bench.shaped(token, 'registry', annotations)).renew(noSignal);
  expect(obtained).toMatchObject({ ok: true });
  expect(provider.lastRequest('token')?.form).toMatchObject({
    subject_token: token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    audience: 'registry',
    scope: 'pull',
    connector_id: 'kubernetes',
  });
  expect(JSON.stringify(provider.lastRequest('token'))).not.toContain('admin');
  const credential = obtained.ok ? obtained.credential : null;
  expect(credential?.expiresAt).toBeGreaterThan(bench.clock.now());
  expect(credential?.noExpiry).toBeUndefined();
  expect(bench.vault.writes).toEqual([]);
});

test('another kind of subject token, for a provider that takes no other', async () => {
  const type = 'urn:ietf:params:oauth:token-type:id_token';
  const bench = open({ config: { extraParams: { subject_token_type: type } } });
  await (await bench.shaped(tokenOf({ sub: 'app' }))).renew(noSignal);
  expect(exchange.records).toMatchObject([{ subjectTokenType: type, subject: 'app' }]);
});

test('a token, a registry and an audience have their own grant: by the whole token, whatever it says of itself', async () => {
  const bench = open();
  const claims = { iss: 'https://k8s', sub: 'app', exp: soon, jti: 'same' };
  const token = tokenOf(claims);
  const first = await bench.shaped(token);
  expect(await bench.shaped(token)).toBe(first);
  // The same claims, by another key.
  const forged = `${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(43)}`;
  const other = await bench.shaped(forged);
  expect((await bench.shaped(token, 'other')).shape?.key).not.toBe(first.shape?.key);
  expect(other.shape?.key).not.toBe(first.shape?.key);
  expect(first.shape?.key).not.toContain(token);
});

test.each([
  ['expires_in', { expires_in: 60 }, 60],
  ['nothing but the token’s own exp', { expires_in: null }, 600],
])('it is cached no longer than the answer says: %s', async (_, answer, seconds) => {
  exchange.answer = answer;
  const bench = open();
  const obtained = await (await bench.shaped(tokenOf({ sub: 'app', exp: soon }))).renew(noSignal);
  const life = obtained.ok ? (obtained.credential.expiresAt ?? 0) - bench.clock.now() : 0;
  expect(life).toBeGreaterThan(0);
  expect(life).toBeLessThanOrEqual(seconds * 1000);
});

test('an answer that states no life is for those who wait for it alone', async () => {
  exchange.answer = { expires_in: null, access_token: 'opaque' };
  const obtained = await (await open().shaped(tokenOf({ sub: 'app', exp: soon }))).renew(noSignal);
  expect(obtained).toMatchObject({ ok: true, credential: { expiresAt: null, noExpiry: { onlyFor: [] } } });
});

test('without a token, and for a cluster, nothing is exchanged', async () => {
  const { account } = open();
  const target = registryTarget({
    name: 'r',
    config: { account: 'corp', matchImages: ['a.io'] },
  } as unknown as Parameters<typeof registryTarget>[0]);
  const ask = (asking: object) => (account as Account).shapedBy?.(asking as CredentialRequest);
  expect(await ask({ target })).toMatchObject({
    ok: false,
    reason: 'notPermitted',
    code: 'oidc.serviceAccount.none',
    hint: expect.stringContaining('lanyard image config'),
  });
  const serviceAccount = { token: new Secret('t'), annotations: new Map() };
  expect(await ask({ target: clusterName('prod'), serviceAccount })).toMatchObject({
    code: 'oidc.serviceAccount.target',
  });
  expect(exchange.records).toEqual([]);
});

test('a provider’s refusal has its words, without the token; nothing of it is logged', async () => {
  // Not every token has the form by which any JWT is left out of a provider’s words.
  const token = 'opaque-service-account-token-canary';
  const bench = open();
  provider.setFault('token', { kind: 'oauthError', error: 'invalid_request', description: `bad ${token}` });
  const refused = await (await bench.shaped(token)).renew(noSignal);
  expect(refused).toMatchObject({ ok: false, reason: 'provider' });
  provider.clearFaults();
  expect(await (await bench.shaped(tokenOf({ sub: 'app' }), 'unknown')).renew(noSignal)).toMatchObject({
    code: 'oidc.exchange.target',
  });
  expect(JSON.stringify([refused, bench.log])).not.toContain('canary');
});

test('it is ready without a login, and has none', async () => {
  const { account } = open();
  expect(await account.state()).toMatchObject({ state: 'ready', subject: null });
  expect(account.login).toBeUndefined();
  expect(await account.current()).toBeNull();
});

test('the survey says whether the provider lists the exchange', async () => {
  const { account } = open();
  const found = await account.survey(noSignal);
  expect(found).toContainEqual(expect.objectContaining({ check: 'account.exchange', level: 'ok' }));
});
