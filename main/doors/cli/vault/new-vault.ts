import type { Secret } from '../../../base/secret.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import type { LoadedConfig } from '../../../domain/loaded-config.ts';
import type { SeenPrograms } from '../../../domain/program/program-check.ts';
import { bindingsOf } from '../../../domain/program/program-check.ts';
import { type ConfirmDeps, whatWouldCount } from '../../../operations/confirm.ts';
import { waitingTexts } from '../../../operations/waiting-items.ts';
import type { VaultState } from '../../../ports/vault.ts';
import type { VaultChanged } from '../../../vault/index.ts';
import { changesText } from '../approvals/confirm-command.ts';
import { askYes, type CommandCall } from '../command.ts';
import { askNewPassphrase } from './ask-passphrase.ts';

export interface NewVaultDeps extends Pick<ConfirmDeps, 'config' | 'look'> {
  vault: {
    state(): VaultState;
    createWithPassphrase(passphrase: Secret): Promise<VaultChanged>;
    retry(): Promise<void>;
  };
}

/** `seen` and `programs`: what the user was shown, which the vault approves; undefined: nothing was shown. */
export type MadeVault = { made: VaultChanged; seen?: LoadedConfig; programs?: SeenPrograms };

/**
 * Makes the first vault: after a yes at a terminal to what it approves, or where `--new` asked for it. A keychain that
 * can be used by now is preferred, as at the broker's start; else a passphrase is asked for.
 */
export async function makeNewVault(
  call: CommandCall,
  { fromFile, isWanted }: { fromFile: Secret | null; isWanted: boolean },
  deps: NewVaultDeps,
): Promise<MadeVault> {
  const shown = isWanted ? {} : await agreeToNew(call, deps);
  if (!fromFile) {
    await deps.vault.retry();
    if (deps.vault.state().kind === 'open') {
      return { made: { ok: true }, ...shown };
    }
  }
  const passphrase = fromFile ?? (await askNewPassphrase(call, 'A passphrase for the new vault'));
  return { made: await deps.vault.createWithPassphrase(passphrase), ...shown };
}

async function agreeToNew(call: CommandCall, deps: NewVaultDeps): Promise<Omit<MadeVault, 'made'>> {
  if (!call.terminal.canPrompt) {
    throw new BrokerError('vault.none', 'there is no vault yet, and no terminal to ask whether to make one', {
      reason: 'locked',
      hint: 'to make one all the same: lanyard unlock --new --passphrase-file FILE',
    });
  }
  const counting = await whatWouldCount(deps);
  const texts = waitingTexts(counting);
  call.terminal.print(
    texts.length === 0
      ? 'There is no vault yet.\n'
      : `There is no vault yet. A new one approves what is in config.yaml:\n\n${changesText(texts)}\n`,
  );
  if (!(await askYes(call, 'Make a new vault?'))) {
    throw new BrokerError('unlock.denied', 'no vault was made', { reason: 'denied' });
  }
  return { seen: counting.seen, programs: bindingsOf(counting.found) };
}
