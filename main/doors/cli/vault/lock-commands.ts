import type { Secret } from '../../../base/secret.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import type { LoadedConfig } from '../../../domain/loaded-config.ts';
import type { SeenPrograms } from '../../../domain/program/program-check.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import type { Recorder } from '../../../ports/history.ts';
import type { VaultState } from '../../../ports/vault.ts';
import { type Opener, refusalOf, type Unlocked } from '../../../vault/index.ts';
import { askYes, type Command, type CommandCall, done, parseWords, usageError } from '../command.ts';
import { askPassphrase, askRecoveryKey, passphraseIn } from './ask-passphrase.ts';
import { makeNewVault, type NewVaultDeps } from './new-vault.ts';

export interface LockCommandDeps extends NewVaultDeps {
  lock: { close(why: 'command'): Promise<void>; settled(): Promise<void> };
  vault: NewVaultDeps['vault'] & { unlock(opener: Opener): Promise<Unlocked> };
  recorder: Pick<Recorder, 'record'>;
  /** The vault was just opened or made; `seen` and `programs`: what the user was shown for that. */
  onOpened(seen?: LoadedConfig, programs?: SeenPrograms): Promise<void>;
}

/** `lanyard lock` */
export function lockCommand(deps: LockCommandDeps): Command {
  return async (call) => {
    parseWords('lock', call.args, [], {});
    call.terminal.extend(30);
    await deps.lock.close('command');
    return done(undefined, 'Locked. Nothing is issued until you run: lanyard unlock');
  };
}

/** `lanyard unlock [--new] [--passphrase-file FILE | --recovery-key]`: opens the vault, or makes the first one. */
export function unlockCommand(deps: LockCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('unlock', call.args, [], {
      'passphrase-file': { type: 'string' },
      'recovery-key': { type: 'boolean' },
      new: { type: 'boolean' },
    });
    const fromFile = await passphraseIn(call, values['passphrase-file']);
    await deps.lock.settled();
    if (fromFile && values['recovery-key']) {
      throw usageError('unlock', 'either --passphrase-file or --recovery-key');
    }
    if (values.new && values['recovery-key']) {
      throw usageError('unlock', 'either --new or --recovery-key');
    }
    call.terminal.extend(600);
    if (await hasNoVault(deps)) {
      const { made, seen, programs } = await makeNewVault(
        call,
        { fromFile, isWanted: values.new === true },
        deps,
      );
      if (!made.ok) {
        return refusalAnswer(made);
      }
      await deps.onOpened(seen, programs);
      return done(undefined, 'Made a new vault.');
    }
    if (values.new) {
      throw new BrokerError('vault.exists', 'there is a vault already', {
        reason: 'usage',
        hint: 'open it with: lanyard unlock',
      });
    }
    const outcome = values['recovery-key']
      ? await openByRecoveryKey(call, deps)
      : await openBy(call, fromFile, deps);
    if (!outcome.ok) {
      return refusalAnswer(outcome);
    }
    await deps.onOpened();
    if (outcome.keychain?.repaired) {
      deps.recorder.record({ kind: 'change', what: 'keychain.repair', name: null });
    }
    return done(undefined, `Unlocked.${keychainText(outcome.keychain)}`);
  };
}

function keychainText(keychain: (Unlocked & { ok: true })['keychain']): string {
  if (!keychain) {
    return '';
  }
  return keychain.repaired
    ? '\nThe keychain had lost the vault’s key; it has a new one, and opens the vault again.'
    : `\nhint: the keychain still doesn’t open the vault: ${keychain.reason}`;
}

/** A broken file is read again: the hint says how to replace it, or to move it away and start again. */
async function hasNoVault({ vault }: LockCommandDeps): Promise<boolean> {
  if (vault.state().kind === 'broken') {
    await vault.unlock({});
  }
  return vault.state().kind === 'none';
}

async function openByRecoveryKey(call: CommandCall, { vault }: LockCommandDeps): Promise<Unlocked> {
  const { kind } = vault.state();
  return vault.unlock(kind === 'locked' ? { recoveryKey: await askRecoveryKey(call) } : {});
}

async function openBy(call: CommandCall, fromFile: Secret | null, deps: LockCommandDeps): Promise<Unlocked> {
  const state = deps.vault.state();
  switch (state.kind) {
    case 'open':
      return { ok: true };
    case 'locked':
      return openLocked(call, fromFile, state, deps);
    case 'none':
    case 'broken':
      return refusalOf(state);
  }
}

async function openLocked(
  call: CommandCall,
  fromFile: Secret | null,
  state: Extract<VaultState, { kind: 'locked' }>,
  { vault }: LockCommandDeps,
): Promise<Unlocked> {
  if (state.how === 'gate') {
    await confirmGate(call);
    return vault.unlock({});
  }
  const hasPassphrase = state.how === 'passphrase' || state.ways?.includes('passphrase') === true;
  if (fromFile && hasPassphrase) {
    return vault.unlock({ passphrase: fromFile });
  }
  if (state.how === 'passphrase') {
    return vault.unlock({ passphrase: await askPassphrase(call) });
  }
  const first = await vault.unlock({});
  const isLocked = !first.ok && first.reason === 'locked';
  if (!isLocked || !hasPassphrase || !call.terminal.canPrompt) {
    return first;
  }
  call.terminal.print(`The keychain doesn’t open the vault: ${first.message}\n`);
  return vault.unlock({ passphrase: await askPassphrase(call) });
}

/** With only the keychain, the lock is a gate: the user at a terminal opens it. */
async function confirmGate(call: CommandCall): Promise<void> {
  if (!(await askYes(call, 'Unlock lanyard?'))) {
    throw new BrokerError('unlock.denied', 'lanyard stays locked', {
      reason: call.terminal.canPrompt ? 'denied' : 'notPermitted',
      ...(!call.terminal.canPrompt && { hint: 'unlock it at a terminal' }),
    });
  }
}
