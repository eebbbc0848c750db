import { expect, test } from 'vitest';
import { FakeVault } from '../../../accounts/testing/fake-vault.ts';
import { Secret } from '../../../base/secret.ts';
import { accountAddBench } from '../testing/account-add-bench.ts';

test('an account is not added over what the vault still has of an earlier one of that name', async () => {
  const vault = new FakeVault({ secrets: { bot: { token: new Secret('t') } } });
  const { run, edits } = accountAddBench({ vault });
  await expect(run('bot', '--static-token')).rejects.toMatchObject({
    code: 'account.left',
    message: 'the vault still has the login or secrets of an earlier account named bot',
    hint: 'a new one would use them; remove them first: lanyard account remove bot',
  });
  expect(edits).toEqual([]);
  await run('other', '--static-token');
  expect(edits).toMatchObject([{ kind: 'set', what: 'account', name: 'other' }]);
});

test('an OIDC account names the accounts that have its client’s keys', async () => {
  const { run, written } = accountAddBench();
  await run(
    ...['corp', '--oidc-issuer', 'https://id.example.com', '--client-id', 'kubernetes'],
    ...['--client-key-account', 'card', '--client-key-id', 'one', '--client-certificate-account', 'tpm'],
  );
  const keys = { clientKeyAccount: 'card', clientKeyId: 'one', clientCertificateAccount: 'tpm' };
  expect(written()).toMatchObject([{ oidc: keys }]);
});
