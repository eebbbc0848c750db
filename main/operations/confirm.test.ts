import { expect, test } from 'vitest';
import { Bindings } from '../access/bindings.ts';
import { FakeVault } from '../accounts/testing/fake-vault.ts';
import { Secret } from '../base/secret.ts';
import { defaultSettings } from '../contract/config/settings.ts';
import type { LoadedAccount, LoadedCluster, LoadedConfig } from '../domain/loaded-config.ts';
import { loadedAccount, loadedInventory, loadedProfile } from '../domain/testing/loaded.ts';
import { noEntries } from '../domain/testing/no-entries.ts';
import type { Session, VaultContent } from '../ports/vault.ts';
import { takeWaiting, whatWaits } from './confirm.ts';
import { leftInVaultText } from './left-in-vault.ts';
import { waitingTexts } from './waiting-items.ts';

const bot = loadedAccount('bot', { staticToken: {} });

function setUp(content: Partial<VaultContent>, accounts: LoadedAccount[] = [bot]) {
  const state = {
    config: {
      ...noEntries,
      accounts: new Map(accounts.map((each) => [each.name, each])),
      settings: defaultSettings,
    } as LoadedConfig,
  };
  const config = { current: () => state.config };
  const vault = new FakeVault(content);
  const bindings = new Bindings({ config, vault });
  const deps = {
    ...{ config, vault, bindings },
    recorder: { record: () => undefined },
    programs: { held: async () => [] },
    look: async () => ({ kind: 'missing', path: null }) as const,
  };
  return { state, bindings, deps };
}

test('a new account that would use a login which the vault has under its name says so, first', async () => {
  const other = { ...bot, name: 'other' };
  const { deps } = setUp({ sessions: { bot: {} as Session } }, [other, bot]);
  expect(waitingTexts(await whatWaits(deps, null))).toMatchObject([
    { title: 'account bot (new)', risks: ['Uses a login that the vault has under its name already'] },
    { title: 'account other (new)', risks: [] },
  ]);
});

test('one that would use secrets says which; that is no risk: an import keeps them before it is approved', async () => {
  const { deps } = setUp({ secrets: { bot: { token: new Secret('t'), clientSecret: new Secret('s') } } });
  expect(waitingTexts(await whatWaits(deps, null))).toEqual([
    {
      title: 'account bot (new)',
      risks: [],
      lines: ['+ kind: staticToken', 'uses what the vault has under its name already: token, clientSecret'],
    },
  ]);
});

test('one of which the vault has nothing, or that was approved before, says nothing of it', async () => {
  const { state, bindings, deps } = setUp({ secrets: { bot: {} } });
  expect(waitingTexts(await whatWaits(deps, null))).toEqual([
    { title: 'account bot (new)', risks: [], lines: ['+ kind: staticToken'] },
  ]);
  await bindings.approve({ changes: bindings.changes() });
  await deps.vault.update((now) => ({ ...now, sessions: { bot: {} as Session } }));
  const config = loadedAccount('bot', { staticToken: { file: '/tmp/t' } });
  state.config = { ...state.config, accounts: new Map([['bot', config]]) };
  expect(waitingTexts(await whatWaits(deps, null))).toMatchObject([
    { title: 'account bot (changed)', risks: ['Reads another file'] },
  ]);
});

test.each([
  [{ secrets: { bot: { token: new Secret('t') } } }, null],
  [{ secrets: { corp: {} } }, null],
  [
    { sessions: { corp: {} as Session } },
    'The vault still has the login or secrets of corp. Remove them: lanyard account remove corp',
  ],
  [
    { sessions: { corp: {} as Session }, secrets: { old: { token: new Secret('t') }, corp: {} } },
    'The vault still has the login or secrets of corp, old. Remove them: lanyard account remove NAME',
  ],
])('what the vault has of accounts that config.yaml has no more is named, %#', (content, expected) => {
  expect(leftInVaultText(setUp(content).deps)).toBe(expected);
});

test('a profile that keeps changing keeps the user from no approval; what was shown of it is approved', async () => {
  const { state, bindings, deps } = setUp({});
  const at = (server: string) => loadedProfile('eu', { server });
  const put = (each: LoadedCluster) => {
    state.config = { ...state.config, clusters: new Map([[each.name, each]]) };
  };
  put(at('https://one.example.com'));
  const waiting = await whatWaits(deps, null);
  put(at('https://two.example.com'));
  await takeWaiting(deps, waiting);
  expect(bindings.pending('account', 'bot')).toBeNull();
  expect(bindings.pending('cluster', 'eu')?.lines).toEqual([
    '- server: https://one.example.com',
    '+ server: https://two.example.com',
  ]);
  const again = await whatWaits(deps, null);
  put({ ...at('https://two.example.com'), origin: undefined });
  await expect(takeWaiting(deps, again)).rejects.toMatchObject({ code: 'confirm.changed' });
});

test('a profile whose approval changes meanwhile stays pending, and keeps the user from no other approval', async () => {
  const { state, bindings, deps } = setUp({}, []);
  const at = (server: string) => loadedProfile('eu', { server });
  const put = (...clusters: LoadedCluster[]) => {
    state.config = { ...state.config, clusters: new Map(clusters.map((each) => [each.name, each])) };
  };
  const shown = async () => {
    put(at('https://one.example.com'));
    await takeWaiting(deps, await whatWaits(deps, null));
    state.config = { ...state.config, accounts: new Map([['bot', bot]]) };
    put(at('https://two.example.com'));
    return whatWaits(deps, null);
  };
  const waiting = await shown();
  // Its hub has made it again.
  await bindings.forget([{ what: 'cluster', name: 'eu' }]);
  expect(await takeWaiting(deps, waiting)).toMatchObject({ isAll: false, changes: [{ name: 'bot' }] });
  expect(bindings.changes()).toMatchObject([{ name: 'eu', change: 'new' }]);
  await expect(
    takeWaiting(deps, { ...waiting, changes: waiting.changes.filter(({ name }) => name === 'eu') }),
  ).rejects.toMatchObject({ code: 'confirm.changed' });
});

const elsewhere = 'Its server is not among those of its inventory';
test.each<[string, string[], string[], string[]]>([
  ['among those of its inventory', [], ['*.example.com'], []],
  ['elsewhere', [elsewhere], ['*.example.net'], []],
  ['where its provider has others', [elsewhere], ['*.example.com'], ['a']],
])('a profile’s server %s', async (_, risks, servers, own) => {
  const { state, deps } = setUp({}, []);
  const providers = [{ name: 'eks', account: 'bot', ...(own.length > 0 && { servers: own }) }];
  state.config = {
    ...state.config,
    clusters: new Map([['eu', loadedProfile('eu')]]),
    inventories: new Map([['fleet', loadedInventory('fleet', { providers, servers })]]),
  };
  const texts = waitingTexts(await whatWaits(deps, ['eu']));
  expect(texts).toMatchObject([{ title: 'cluster eu (new)', risks }]);
});
