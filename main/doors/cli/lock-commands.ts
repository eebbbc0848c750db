import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Secret } from '../../base/secret.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { VaultState } from '../../ports/vault.ts';
import { refusalAnswer } from '../door.ts';
import { askYes, type Command, type CommandCall, done, parseWords } from './command.ts';

const passphraseLimitBytes = 4096;

export interface LockCommandDeps {
  lock: { close(): Promise<void> };
  vault: {
    state(): VaultState;
    unlock(options: { passphrase?: Secret }): Promise<{ ok: true } | Refusal>;
    createWithPassphrase(passphrase: Secret): Promise<{ ok: true } | Refusal>;
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
    const { values } = parseWords('unlock', call.args, [], { 'passphrase-file': { type: 'string' } });
    const file = values['passphrase-file'];
    const fromFile = file === undefined ? null : await readPassphraseFile(resolve(call.cwd, file));
    call.terminal.extend(600);
    const outcome = await openBy(call, fromFile, deps);
    if (!outcome.ok) {
      return refusalAnswer(outcome);
    }
    await deps.onOpened();
    return done(undefined, 'Unlocked.');
  };
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
      return deps.vault.createWithPassphrase(fromFile ?? (await askNewPassphrase(call)));
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

/**
 * The first line of a file that only its owner can read. Throws BrokerError (reason usage) where it is missing,
 * empty, not a file, or readable by others.
 */
export async function readPassphraseFile(path: string): Promise<Secret> {
  const file = await open(path, constants.O_RDONLY).catch((cause: unknown) => {
    throw new BrokerError('passphraseFile.missing', `the passphrase file ${path} can't be read`, {
      reason: 'usage',
      cause,
    });
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile() && !stats.isFIFO()) {
      throw new BrokerError('passphraseFile.kind', `${path} is not a file`, { reason: 'usage' });
    }
    if (process.platform !== 'win32' && stats.isFile() && (stats.mode & 0o077) !== 0) {
      throw new BrokerError('passphraseFile.mode', `others can read the passphrase file ${path}`, {
        reason: 'usage',
        hint: `chmod 600 ${path}`,
      });
    }
    const buffer = Buffer.alloc(passphraseLimitBytes);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
    const line = buffer.subarray(0, bytesRead).toString('utf8').split(/\r?\n/, 1)[0] ?? '';
    buffer.fill(0);
    if (line === '') {
      throw new BrokerError('passphraseFile.empty', `the passphrase file ${path} is empty`, {
        reason: 'usage',
      });
    }
    return new Secret(line);
  } finally {
    await file.close();
  }
}
