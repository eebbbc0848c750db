import { resolve } from 'node:path';
import type { Secret } from '../../../base/secret.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import { passphraseFault } from '../../../vault/index.ts';
import type { CommandCall } from '../command.ts';
import { readPassphraseFile } from './passphrase-file.ts';

/** The passphrase in the file that an option names; null without the option. */
export async function passphraseIn(call: CommandCall, file: string | undefined): Promise<Secret | null> {
  return file === undefined ? null : readPassphraseFile(resolve(call.cwd, file), 'file');
}

/** Asks for an existing passphrase. `option` could have given it in a file; null: it can only be typed. */
export async function askPassphrase(
  call: CommandCall,
  what = 'Passphrase',
  option: FileOption | null = '--passphrase-file',
): Promise<Secret> {
  return required(await call.terminal.ask(`${what} (not shown): `), option);
}

type FileOption = '--passphrase-file' | '--old-passphrase-file';

/** Asks for a recovery key. Not shown: it opens the vault. */
export async function askRecoveryKey(call: CommandCall): Promise<Secret> {
  const typed = await call.terminal.ask('Recovery key (not shown): ');
  if (!typed || typed.isEmpty) {
    throw new BrokerError('unlock.noRecoveryKey', 'no recovery key was given', {
      reason: 'locked',
      hint: 'run it at a terminal',
    });
  }
  return typed;
}

/** Asks for a new one twice; one that is too short is refused before it is asked again. */
export async function askNewPassphrase(call: CommandCall, what: string): Promise<Secret> {
  const first = goodPassphrase(required(await call.terminal.ask(`${what} (not shown): `)));
  const second = required(await call.terminal.ask('Once more: '));
  if (first.reveal() !== second.reveal()) {
    throw new BrokerError('unlock.differ', 'the two were not the same', { reason: 'usage' });
  }
  return first;
}

/** Throws BrokerError (reason usage) for a new passphrase that is too short. */
export function goodPassphrase(passphrase: Secret): Secret {
  const fault = passphraseFault(passphrase);
  if (fault) {
    throw new BrokerError(fault.code, fault.message, { reason: 'usage' });
  }
  return passphrase;
}

function required(answer: Secret | null, option: FileOption | null = '--passphrase-file'): Secret {
  if (!answer || answer.isEmpty) {
    throw new BrokerError('unlock.noPassphrase', 'no passphrase was given', {
      reason: 'locked',
      hint: `run it at a terminal${option === null ? '' : `, or give ${option} FILE`}`,
    });
  }
  return answer;
}
