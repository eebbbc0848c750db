import { expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { FakeVault } from '../testing/fake-vault.ts';
import { createRegistryAccount } from './registry-account.ts';

const noSignal = new AbortController().signal;

function make(userName: string | undefined, parts: Record<string, string>) {
  const secrets = Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, new Secret(text)]));
  return createRegistryAccount({
    account: {
      name: 'hub',
      config: { registry: userName === undefined ? {} : { userName } },
      certificateAuthorityPem: null,
    },
    vault: new FakeVault({ secrets: { hub: secrets } }),
  });
}

test('a user name goes with the password, an identity token with the name that docker gives it', async () => {
  const byName = await make('robot', { password: 'p', identityToken: 'other' }).current();
  expect(byName).toMatchObject({ credential: { password: { userName: 'robot' }, expiresAt: null } });
  expect(byName?.ok && byName.credential.password?.password.reveal()).toBe('p');
  const byToken = await make(undefined, { password: 'other', identityToken: 't' }).current();
  expect(byToken).toMatchObject({ credential: { password: { userName: '<token>' } } });
  expect(byToken?.ok && byToken.credential.password?.password.reveal()).toBe('t');
});

test('without its secret it says how to set it', async () => {
  const account = make('robot', { identityToken: 'of no use beside a user name' });
  expect(await account.current()).toBeNull();
  expect(await account.renew(noSignal)).toMatchObject({
    ok: false,
    reason: 'loginNeeded',
    code: 'registry.missing',
    message: 'hub has no password yet',
    hint: 'lanyard secret set hub/password',
  });
  expect(await account.state()).toMatchObject({ kind: 'registry', state: 'secretMissing', subject: 'robot' });
  expect(await make(undefined, {}).renew(noSignal)).toMatchObject({
    hint: 'lanyard secret set hub/identityToken',
  });
});

test('a locked vault is no missing secret', async () => {
  const account = createRegistryAccount({
    account: { name: 'hub', config: { registry: {} }, certificateAuthorityPem: null },
    vault: {
      read: () => {
        throw new BrokerError('vault.locked', 'the vault is locked', { reason: 'locked' });
      },
    },
  });
  expect(await account.current()).toMatchObject({ ok: false, reason: 'locked' });
  expect(await account.state()).toMatchObject({ state: 'locked' });
});
