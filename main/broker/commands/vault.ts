import type { Command } from '../../doors/cli/command.ts';
import { lockCommand, unlockCommand } from '../../doors/cli/vault/lock-commands.ts';
import {
  passphraseChangeCommand,
  passphraseRemoveCommand,
  passphraseSetCommand,
  recoveryKeyCreateCommand,
} from '../../doors/cli/vault/passphrase-commands.ts';
import {
  vaultExportCommand,
  vaultResetCommand,
  vaultRestoreCommand,
} from '../../doors/cli/vault/vault-commands.ts';
import type { VaultContent } from '../../ports/vault.ts';
import type { Areas } from '../areas.ts';
import { openedWith } from '../opened.ts';

export function vaultCommands({
  deps,
  served,
  records,
  credentials,
  locking,
  requestProxy,
}: Areas): [string, Command][] {
  const { config, vault } = deps;
  const { bindings, look } = served;
  const { recorder } = records;
  const { logins, grants } = credentials;
  const { lock } = locking;
  const opening = { lock, vault, recorder, config, look, onOpened: openedWith(bindings) };
  const slots = { vault, recorder };
  const replacing = {
    lock,
    vault,
    config,
    recorder,
    keepPending: (content: VaultContent) => bindings.keepPending(content),
    onReplaced: () => {
      logins.cancelAll('the vault was replaced');
      grants.forgetAll();
      // Its port, CA and keys, and who may enter.
      void requestProxy.changed();
    },
  };
  return [
    ['lock', lockCommand(opening)],
    ['unlock', unlockCommand(opening)],
    ['passphrase set', passphraseSetCommand(slots)],
    ['passphrase change', passphraseChangeCommand(slots)],
    ['passphrase remove', passphraseRemoveCommand(slots)],
    ['recovery-key create', recoveryKeyCreateCommand(slots)],
    ['vault restore', vaultRestoreCommand(replacing)],
    ['vault export', vaultExportCommand(replacing)],
    ['vault reset', vaultResetCommand(replacing)],
  ];
}
