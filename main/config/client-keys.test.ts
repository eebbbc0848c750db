import { expect, test } from 'vitest';
import { loadValue } from './testing/load-value.ts';

function load(oidc: object) {
  const accounts = {
    card: { pkcs11: { module: '/usr/lib/opensc-pkcs11.so' } },
    bot: { staticToken: {} },
    corp: { oidc: { issuer: 'https://id.example.com', clientId: 'kubernetes', ...oidc } },
  };
  return loadValue({ accounts });
}
const at = 'accounts.corp.oidc';

test('an OIDC client’s keys are those of accounts with a token', async () => {
  const keys = { clientKeyAccount: 'card', clientKeyId: 'one', clientCertificateAccount: 'card' };
  const { config, problems } = await load(keys);
  expect(problems).toEqual([]);
  expect(config?.accounts.get('corp')?.config).toMatchObject({ oidc: keys });
});

test.each<[string, object, string]>([
  [
    'an unknown account',
    { clientKeyAccount: 'crad' },
    `error ${at}.clientKeyAccount: there is no account crad (did you mean card?)`,
  ],
  [
    'an unknown account for TLS',
    { clientCertificateAccount: 'token' },
    `error ${at}.clientCertificateAccount: there is no account token`,
  ],
  [
    'one without a token',
    { clientKeyAccount: 'bot' },
    `error ${at}.clientKeyAccount: bot has no key on a token: name an account of kind pkcs11`,
  ],
  [
    'itself',
    { clientCertificateAccount: 'corp' },
    `error ${at}.clientCertificateAccount: corp has no key on a token: name an account of kind pkcs11`,
  ],
  [
    'a key’s id without the key',
    { clientKeyId: 'one' },
    `warning ${at}.clientKeyId: goes with clientKeyAccount; a clientKey in the vault has its kid in its JWK`,
  ],
])('%s', async (_name, oidc, problem) => {
  expect((await load(oidc)).problems).toEqual([problem]);
});
