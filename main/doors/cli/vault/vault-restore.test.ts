import { expect, test } from 'vitest';
import { Bindings } from '../../../access/bindings.ts';
import { FakeVault } from '../../../accounts/testing/fake-vault.ts';
import { defaultSettings } from '../../../contract/config/settings.ts';
import type { LoadedConfig } from '../../../domain/loaded-config.ts';
import { noEntries } from '../../../domain/testing/no-entries.ts';
import type { VaultState } from '../../../ports/vault.ts';
import { commandCall } from '../testing/command-call.ts';
import { type VaultCommandDeps, vaultRestoreCommand } from './vault-commands.ts';

test('a restored vault brings its own approvals: config.yaml is not taken for approved, as by a new one', async () => {
  const config: LoadedConfig = {
    ...noEntries,
    accounts: new Map([['bot', { name: 'bot', config: { staticToken: {} }, certificateAuthorityPem: null }]]),
    settings: defaultSettings,
  };
  const vault = new FakeVault();
  const states: VaultState[] = [
    { kind: 'none', reason: 'it is gone' },
    { kind: 'open', slots: ['keychain'], generation: 1 },
  ];
  let state = states[0] as VaultState;
  const deps = {
    vault: Object.assign(vault, {
      state: () => state,
      restoreFrom: async () => {
        state = states[1] as VaultState;
        return { ok: true, aside: [], ways: ['keychain'] };
      },
    }),
    keepPending: (content: unknown) => content,
    recorder: { record: () => undefined },
    onReplaced: () => undefined,
    // What `lanyard unlock` does with a vault that it made.
    onOpened: () => bindings.adoptNewVault(),
  };
  const bindings = new Bindings({ config: { current: () => config }, vault: deps.vault });
  const command = vaultRestoreCommand(deps as unknown as VaultCommandDeps);
  await command(commandCall(['--from', '/backup/vault']));
  expect(bindings.changes()).toMatchObject([{ what: 'account', name: 'bot', change: 'new' }]);
});
