import { expect, test } from 'vitest';
import { Bindings } from '../../../access/bindings.ts';
import { FakeVault } from '../../../accounts/testing/fake-vault.ts';
import { Secret } from '../../../base/secret.ts';
import { account, defaultSettings } from '../../../contract/config/config.ts';
import type { LoadedConfig } from '../../../domain/loaded-config.ts';
import { noEntries } from '../../../domain/testing/no-entries.ts';
import { confirmWindow } from './confirm.ts';

test('an approval names what the vault still has of accounts that config.yaml has no more', async () => {
  const bot = { name: 'bot', config: account.parse({ staticToken: {} }), certificateAuthorityPem: null };
  const loaded: LoadedConfig = {
    ...noEntries,
    accounts: new Map([['bot', bot]]),
    settings: defaultSettings,
  };
  const config = { current: () => loaded };
  const vault = new FakeVault({ secrets: { old: { token: new Secret('t') } } });
  const window = await confirmWindow({
    ...{ config, vault, bindings: new Bindings({ config, vault }), gate: () => null },
    recorder: { record: () => undefined },
    programs: { held: async () => [] },
    look: async () => ({ kind: 'missing', path: null }) as const,
  });
  expect(await window.submit({}, 'yes')).toMatchObject({
    heading: 'Change approved',
    text: [
      '1 change: 1 new account.',
      'The vault still has the login or secrets of old. Remove them: lanyard account remove old',
    ],
  });
});
