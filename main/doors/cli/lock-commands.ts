import { resolve } from 'node:path';
import type { Secret } from '../../base/secret.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { VaultState } from '../../ports/vault.ts';
import { refusalAnswer } from '../door.ts';
import { askYes, type Command, type CommandCall, done, parseWords } from './command.ts';
import { readPassphraseFile } from './passphrase-file.ts';

export interface LockCommandDeps {
  lock: { close(): Promise<void> };
  vault: {
    state(): VaultState;
    unlock(options: { passphrase?: Secret }): Promise<{ ok: true } | Refusal>;
    createWithPassphrase(passphrase: Secret): Promise<{ ok: true } | Refusal>;
    retry(): Promise<void>;
    restorePrevious(options: { passphrase?: Secret }): Promise<{ ok: true } | Refusal>;
  };
  /** The vault has just been opened or made. */
  onOpened(): Promise<void>;
}

/** `lanyard lock` */
export function lockCommand(deps: LockCommandDeps): Command {
  return async (call) => {
    parseWords('lock', call.args, [], {});
    call.terminal.extend(30);
    await deps.lock.close();
    return done(undefined, 'Locked: nothing is handed out until: lanyard unlock');
  };
}

/** `lanyard unlock [--passphrase-file FILE]`: opens the vault, or makes one where there is none. */
export function unlockCommand(deps: LockCommandDeps): Command {
  return async (call) => {
    const fromFile = await passphraseOption('unlock', call);
    call.terminal.extend(600);
    const outcome = await openBy(call, fromFile, deps);
    if (!outcome.ok) {
      return refusalAnswer(outcome);
    }
    await deps.onOpened();
    return done(undefined, 'Unlocked.');
  };
}

/** `lanyard vault restore [--passphrase-file FILE]`: for a vault that is broken. */
export function vaultRestoreCommand(deps: LockCommandDeps): Command {
  return async (call) => {
    const fromFile = await passphraseOption('vault restore', call);
    call.terminal.extend(600);
    const first = await deps.vault.restorePrevious(fromFile === null ? {} : { passphrase: fromFile });
    const needsPassphrase =
      !first.ok && first.reason === 'locked' && fromFile === null && call.terminal.canPrompt;
    const outcome = needsPassphrase
      ? await deps.vault.restorePrevious({ passphrase: await askPassphrase(call) })
      : first;
    if (!outcome.ok) {
      return refusalAnswer(outcome);
    }
    await deps.onOpened();
    return done(
      undefined,
      'Restored the previous generation. Log in once more where lanyard status says so.',
    );
  };
}

async function passphraseOption(command: string, call: CommandCall): Promise<Secret | null> {
  const { values } = parseWords(command, call.args, [], { 'passphrase-file': { type: 'string' } });
  const file = values['passphrase-file'];
  return file === undefined ? null : readPassphraseFile(resolve(call.cwd, file), 'file');
}

async function openBy(
  call: CommandCall,
  fromFile: Secret | null,
  deps: LockCommandDeps,
): Promise<{ ok: true } | Refusal> {
  const state = deps.vault.state();
  switch (state.kind) {
    case 'open':
      return { ok: true };
    case 'none':
      return makeNew(call, fromFile, deps);
    case 'locked':
      if (state.how === 'gate') {
        await confirmGate(call);
        return deps.vault.unlock({});
      }
      return deps.vault.unlock(
        state.how === 'passphrase' ? { passphrase: fromFile ?? (await askPassphrase(call)) } : {},
      );
    case 'broken':
      // Looked at again: the hint says how to put another file in its place, and then to unlock.
      return deps.vault.unlock({});
  }
}

/** A keychain that can be used by now is preferred, as at the broker's start; else a passphrase is asked. */
async function makeNew(
  call: CommandCall,
  fromFile: Secret | null,
  { vault }: LockCommandDeps,
): Promise<{ ok: true } | Refusal> {
  if (!fromFile) {
    await vault.retry();
    if (vault.state().kind === 'open') {
      return { ok: true };
    }
  }
  return vault.createWithPassphrase(fromFile ?? (await askNewPassphrase(call)));
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

async function askPassphrase(call: CommandCall): Promise<Secret> {
  return required(await call.terminal.ask('Passphrase (not shown): '));
}

async function askNewPassphrase(call: CommandCall): Promise<Secret> {
  const first = required(await call.terminal.ask('A passphrase for the new vault (not shown): '));
  const second = required(await call.terminal.ask('Once more: '));
  if (first.reveal() !== second.reveal()) {
    throw new BrokerError('unlock.differ', 'the two were not the same', { reason: 'usage' });
  }
  return first;
}

function required(answer: Secret | null): Secret {
  if (!answer || answer.isEmpty) {
    throw new BrokerError('unlock.noPassphrase', 'no passphrase was given', {
      reason: 'locked',
      hint: 'run it at a terminal, or give --passphrase-file FILE',
    });
  }
  return answer;
}
