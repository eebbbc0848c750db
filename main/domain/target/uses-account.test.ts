import { expect, test } from 'vitest';
import { account } from '../../contract/config/accounts/account.ts';
import { usesAccount } from './uses-account.ts';

const oidc = (fields: object) =>
  account.parse({ oidc: { issuer: 'https://id.example.com', clientId: 'kubernetes', ...fields } });

test.each<[string, object, boolean]>([
  ['the key of its assertions', { clientKeyAccount: 'card' }, true],
  ['its client certificate', { clientCertificateAccount: 'card' }, true],
  ['another’s key', { clientKeyAccount: 'other', clientCertificateAccount: 'other' }, false],
  ['none', {}, false],
])('an OIDC account uses an account for %s', (_what, fields, uses) => {
  expect(usesAccount(oidc(fields), 'card')).toBe(uses);
});
