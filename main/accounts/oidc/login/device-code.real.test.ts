import { createHash, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { hostileForFile } from '../../../../test/support/openid/for-file.ts';
import { Secret } from '../../../base/secret.ts';
import { FakeVault } from '../../testing/fake-vault.ts';

const { hostile: provider, open } = await hostileForFile();

const refused = (error: string, description: string) => ({
  status: 400,
  body: { error, error_description: description },
});
const requests = (endpoint: 'device' | 'token') =>
  provider.requests.filter((request) => request.endpoint === endpoint);

test('a client for which Keycloak requires PKCE logs in by device code', async () => {
  const { device, token } = { device: provider.honest('device'), token: provider.honest('token') };
  let challenge: string | null = null;
  provider.scripts.device = (request) => {
    challenge = request.form.get('code_challenge');
    return request.form.get('code_challenge_method') === 'S256' && challenge !== null
      ? device(request)
      : refused('invalid_request', 'Missing parameter: code_challenge_method');
  };
  provider.scripts.token = (request) => {
    const verifier = request.form.get('code_verifier') ?? '';
    return createHash('sha256').update(verifier).digest('base64url') === challenge
      ? token(request)
      : refused('invalid_grant', 'PKCE verification failed: Invalid code verifier');
  };
  expect(await open().login()).toMatchObject({ ok: true, subject: 'alice' });
});

test('each login has its own challenge, which no configured parameter replaces; a verifier is sent to no one else', async () => {
  const bench = open({ config: { extraParams: { code_challenge: 'mine', code_challenge_method: 'plain' } } });
  const first = await bench.login();
  await bench.login();
  const challenges = requests('device').map(({ form }) => form.getAll('code_challenge'));
  expect(challenges.every((each) => each.length === 1 && /^[\w-]{43}$/.test(each[0] ?? ''))).toBe(true);
  expect(new Set(challenges.flat()).size).toBe(2);
  expect(requests('device').map(({ form }) => form.get('code_challenge_method'))).toEqual(['S256', 'S256']);
  const [verifier = ''] = requests('token').map(({ form }) => form.get('code_verifier'));
  expect(verifier).toMatch(/^[\w-]{43,128}$/);
  await bench.expectNothingTold(first, [verifier ?? '']);
});

test.each([
  [401, { error: 'invalid_client' }],
  [401, { error: 'unauthorized_client', error_description: 'Invalid client or Invalid client credentials' }],
  [401, ''],
])('a public client where a secret is wanted (%i %j): the hint names the client', async (status, body) => {
  provider.scripts.device = () => ({ status, body });
  expect(await open().login()).toMatchObject({
    ok: false,
    hint: expect.stringMatching(/\(kubernetes\).*lanyard secret set corp\/clientSecret.*--browser/),
  });
});

// Keycloak's words for a client's assertion, which ended before it came, or is of a later time.
test.each(['Token is not active', 'Token was issued in the future'])(
  'a client with its own key, and %s: the hint is the clock, not a secret',
  async (description) => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const clientKey = new Secret(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    provider.scripts.device = () => refused('invalid_client', description);
    const outcome = await open({ vault: new FakeVault({ secrets: { corp: { clientKey } } }) }).login();
    expect(outcome).toMatchObject({
      ok: false,
      code: 'oidc.client.rejected',
      hint: expect.stringContaining('check this machine’s clock'),
    });
    expect(JSON.stringify(outcome)).not.toContain('clientSecret');
  },
);

test.each([400, 500])('server_error while polling ends it at once (HTTP %i)', async (status) => {
  provider.scripts.token = () => ({ status, body: { error: 'server_error', error_description: 'broken' } });
  expect(await open().login()).toMatchObject({ ok: false, message: expect.stringContaining('server_error') });
  expect(provider.count('token')).toBe(1);
});
