import { expect, test } from 'vitest';
import { FakeVault } from '../../../accounts/testing/fake-vault.ts';
import { Secret } from '../../../base/secret.ts';
import type { ConfigEdit } from '../../../ports/config-store.ts';
import { commandCall } from '../testing/command-call.ts';
import { stated } from '../testing/stated.ts';
import { type AccountCommandDeps, accountAddCommand } from './account-commands.ts';

test('an account is not added over what the vault still has of an earlier one of that name', async () => {
  const edits: ConfigEdit[] = [];
  const command = accountAddCommand({
    config: {
      current: () => ({ accounts: new Map() }),
      edit: async (each: ConfigEdit[]) => void edits.push(...each),
      stated,
    },
    bindings: { approve: async () => undefined, changesTo: () => [] },
    vault: new FakeVault({ secrets: { bot: { token: new Secret('t') } } }),
    recorder: { record: () => undefined },
  } as unknown as AccountCommandDeps);
  await expect(command(commandCall(['bot', '--static-token']))).rejects.toMatchObject({
    code: 'account.left',
    message: 'the vault still has the login or secrets of an earlier account named bot',
    hint: 'a new one would use them; remove them first: lanyard account remove bot',
  });
  expect(edits).toEqual([]);
  await command(commandCall(['other', '--static-token']));
  expect(edits).toMatchObject([{ kind: 'set', what: 'account', name: 'other' }]);
});

test('an OIDC account names the accounts that have its client’s keys', async () => {
  const edits: ConfigEdit[] = [];
  const command = accountAddCommand({
    config: {
      current: () => ({ accounts: new Map() }),
      edit: async (each: ConfigEdit[]) => void edits.push(...each),
      stated,
    },
    bindings: { approve: async () => undefined, changesTo: () => [] },
    vault: new FakeVault(),
    recorder: { record: () => undefined },
  } as unknown as AccountCommandDeps);
  const words = ['corp', '--oidc-issuer', 'https://id.example.com', '--client-id', 'kubernetes'];
  const keys = [
    '--client-key-account',
    'card',
    '--client-key-id',
    'one',
    '--client-certificate-account',
    'tpm',
  ];
  await command(commandCall([...words, ...keys]));
  expect(edits).toMatchObject([
    {
      name: 'corp',
      value: { oidc: { clientKeyAccount: 'card', clientKeyId: 'one', clientCertificateAccount: 'tpm' } },
    },
  ]);
});
