import type { Secret } from '../../base/secret.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import type { Recorder } from '../../ports/history.ts';
import type { VaultState } from '../../ports/vault.ts';
import type { Opener, Unlocked, VaultChanged } from '../../vault/index.ts';
import { refusalAnswer } from '../door.ts';
import { askNewPassphrase, askPassphrase, askRecoveryKey, passphraseIn } from './ask-passphrase.ts';
import { askYes, type Command, type CommandCall, done, parseWords, usageError } from './command.ts';

export interface LockCommandDeps {
  lock: { close(why: 'command'): Promise<void>; settled(): Promise<void> };
  vault: {
    state(): VaultState;
    unlock(opener: Opener): Promise<Unlocked>;
    createWithPassphrase(passphrase: Secret): Promise<VaultChanged>;
    retry(): Promise<void>;
  };
  recorder: Pick<Recorder, 'record'>;
  /** The vault has just been opened or made. */
  onOpened(): Promise<void>;
}

/** `lanyard lock` */
export function lockCommand(deps: LockCommandDeps): Command {
  return async (call) => {
    parseWords('lock', call.args, [], {});
    call.terminal.extend(30);
    await deps.lock.close('command');
    return done(undefined, 'Locked: nothing is handed out until: lanyard unlock');
  };
}

/** `lanyard unlock [--passphrase-file FILE | --recovery-key]`: opens the vault, or makes one where there is none. */
export function unlockCommand(deps: LockCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('unlock', call.args, [], {
      'passphrase-file': { type: 'string' },
      'recovery-key': { type: 'boolean' },
    });
    const fromFile = await passphraseIn(call, values['passphrase-file']);
    await deps.lock.settled();
    if (fromFile && values['recovery-key']) {
      throw usageError('unlock', 'either --passphrase-file or --recovery-key');
    }
    call.terminal.extend(600);
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

async function openByRecoveryKey(call: CommandCall, { vault }: LockCommandDeps): Promise<Unlocked> {
  const { kind } = vault.state();
  return vault.unlock(kind === 'locked' ? { recoveryKey: await askRecoveryKey(call) } : {});
}

async function openBy(call: CommandCall, fromFile: Secret | null, deps: LockCommandDeps): Promise<Unlocked> {
  const state = deps.vault.state();
  switch (state.kind) {
    case 'open':
      return { ok: true };
    case 'none':
      return makeNew(call, fromFile, deps);
    case 'locked':
      return openLocked(call, fromFile, state, deps);
    case 'broken':
      // Looked at again: the hint says how to put another file in its place, and then to unlock.
      return deps.vault.unlock({});
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

/** A keychain that can be used by now is preferred, as at the broker's start; else a passphrase is asked. */
async function makeNew(
  call: CommandCall,
  fromFile: Secret | null,
  { vault }: LockCommandDeps,
): Promise<VaultChanged> {
  if (!fromFile) {
    await vault.retry();
    if (vault.state().kind === 'open') {
      return { ok: true };
    }
  }
  return vault.createWithPassphrase(
    fromFile ?? (await askNewPassphrase(call, 'A passphrase for the new vault')),
  );
}

/** With the keychain alone the lock is a gate: a person at a terminal opens it. */
async function confirmGate(call: CommandCall): Promise<void> {
  if (!(await askYes(call, 'Unlock lanyard?'))) {
    throw new BrokerError('unlock.denied', 'lanyard stays locked', {
      reason: call.terminal.canPrompt ? 'denied' : 'notPermitted',
      ...(!call.terminal.canPrompt && { hint: 'a person unlocks it at a terminal' }),
    });
  }
}
