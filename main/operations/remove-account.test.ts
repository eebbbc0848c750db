import { expect, test } from 'vitest';
import { Bindings } from '../access/bindings.ts';
import { FakeVault, type VaultWrite } from '../accounts/testing/fake-vault.ts';
import { Secret } from '../base/secret.ts';
import { defaultSettings } from '../contract/config/settings.ts';
import type { LoadedAccount, LoadedConfig } from '../domain/loaded-config.ts';
import { noEntries } from '../domain/testing/no-entries.ts';
import type { Session } from '../ports/vault.ts';
import { planRemoval, type RemoveAccountDeps, removeAccount } from './remove-account.ts';

const bot = { name: 'bot', config: { staticToken: {} }, certificateAuthorityPem: null };
const whole: LoadedConfig = {
  ...noEntries,
  accounts: new Map([['bot', bot]]),
  settings: defaultSettings,
};

test('an account that config.yaml has no more goes with its secrets and its approval: of that name, one is new', async () => {
  let current = whole;
  const vault = new FakeVault({ secrets: { bot: { token: new Secret('t') } } });
  const config = { current: () => current } as RemoveAccountDeps['config'];
  const bindings = new Bindings({ config, vault });
  await bindings.approve({ changes: bindings.changes() });
  current = { ...whole, accounts: new Map() };
  await removeAccount('bot', {
    ...{ config, vault, bindings },
    recorder: { record: () => undefined },
    onRemoved: () => undefined,
  });
  expect(vault.content.secrets).toEqual({});
  current = whole;
  expect(bindings.pending('account', 'bot')).toMatchObject({ change: 'new' });
});

test('an account goes with its login, its secrets and its approval at once: a kill leaves none without the others', async () => {
  let current = whole;
  const vault = new FakeVault({
    secrets: { bot: { token: new Secret('t') } },
    sessions: { bot: {} as Session },
  });
  const config = {
    current: () => current,
    edit: async () => {
      current = { ...whole, accounts: new Map() };
    },
  } as unknown as RemoveAccountDeps['config'];
  const bindings = new Bindings({ config, vault });
  await bindings.approve({ changes: bindings.changes() });
  const before = vault.writes.length;
  await removeAccount('bot', {
    ...{ config, vault, bindings },
    recorder: { record: () => undefined },
    onRemoved: () => undefined,
  });
  const has = ({ content: { sessions, secrets, confirmed } }: VaultWrite) =>
    [sessions, secrets, confirmed.accounts].map((each) => Object.hasOwn(each, 'bot'));
  expect(vault.writes.slice(before).map(has)).toEqual([[false, false, false]]);
  expect(vault.writes.at(-1)?.bothGenerations).toBe(true);
});

test.each([
  ['clusters', 'cluster', { server: 'https://a', account: 'bot' }],
  ['registries', 'registry', { matchImages: ['ghcr.io'], account: 'bot' }],
  [
    'inventories',
    'inventory',
    {
      providers: [
        { name: 'eks', account: 'other' },
        { name: 'any', account: 'bot' },
      ],
    },
  ],
])('an account that serves %s stays', async (group, what, config) => {
  const used = { name: 'used', config, certificateAuthorityPem: null };
  const current = { ...whole, [group]: new Map([['used', used]]) } as LoadedConfig;
  const deps = {
    config: { current: () => current },
    vault: new FakeVault({}),
  } as unknown as RemoveAccountDeps;
  await expect(removeAccount('bot', deps)).rejects.toMatchObject({
    code: 'account.used',
    message: `bot serves these ${group}: used`,
    hint: `remove them first: lanyard ${what} remove NAME`,
  });
});

test('an account whose keys another one uses stays', async () => {
  const account = (name: string, config: LoadedAccount['config']) => ({
    name,
    config,
    certificateAuthorityPem: null,
  });
  const awsEks = { account: 'bot', cluster: 'prod', region: 'eu-west-1' };
  const accounts = new Map([
    ['bot', account('bot', { aws: { profile: 'a' } })],
    ['eks', account('eks', { awsEks })],
  ]);
  const config = { current: () => ({ ...whole, accounts }) } as unknown as RemoveAccountDeps['config'];
  const vault = new FakeVault();
  expect(() => planRemoval('bot', { config, vault })).toThrow('bot serves these accounts: eks');
  expect(planRemoval('eks', { config, vault })).toEqual({ inConfig: true, holdsSecrets: false });
});
