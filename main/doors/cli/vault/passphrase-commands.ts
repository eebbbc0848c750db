import { BrokerError } from '../../../contract/broker-error.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import type { Recorder } from '../../../ports/history.ts';
import type { SlotKind } from '../../../ports/vault.ts';
import { newRecoveryKey, type Opener, type VaultControl } from '../../../vault/index.ts';
import { askYes, type Command, type CommandCall, done, parseWords } from '../command.ts';
import {
  askNewPassphrase,
  askPassphrase,
  askRecoveryKey,
  goodPassphrase,
  passphraseIn,
} from './ask-passphrase.ts';

export interface PassphraseCommandDeps {
  vault: Pick<
    VaultControl,
    | 'state'
    | 'read'
    | 'setPassphrase'
    | 'changePassphrase'
    | 'removePassphrase'
    | 'addRecoveryKey'
    | 'checkPassphrase'
  >;
  recorder: Pick<Recorder, 'record'>;
}

/** `lanyard passphrase set [--passphrase-file FILE] [--without-keychain]` */
export function passphraseSetCommand({ vault, recorder }: PassphraseCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('passphrase set', call.args, [], {
      'passphrase-file': { type: 'string' },
      'without-keychain': { type: 'boolean' },
    });
    const ways = waysOf(vault);
    if (ways.includes('passphrase')) {
      throw new BrokerError('vault.passphrase.exists', 'the vault has a passphrase already', {
        reason: 'usage',
        hint: 'lanyard passphrase change',
      });
    }
    call.terminal.extend(600);
    const fromFile = await passphraseIn(call, values['passphrase-file']);
    const passphrase = fromFile ? goodPassphrase(fromFile) : await askNewPassphrase(call, 'New passphrase');
    const withoutKeychain =
      values['without-keychain'] === true ||
      (fromFile === null && (await asksForPassphraseAlone(call, ways)));
    const outcome = await vault.setPassphrase({ passphrase, withoutKeychain });
    if (!outcome.ok) {
      return refusalAnswer(outcome);
    }
    recorder.record({ kind: 'change', what: 'passphrase.set', name: null });
    return done(undefined, `The passphrase is set. ${lockText(waysOf(vault))}`);
  };
}

/** Which lock the user wants: the keychain as a second way in is convenient, and bypasses the passphrase. */
async function asksForPassphraseAlone(call: CommandCall, ways: readonly SlotKind[]): Promise<boolean> {
  if (!ways.includes('keychain')) {
    return false;
  }
  call.terminal.print(
    'The keychain opens the vault at each start, and then no passphrase is asked. Without it each start waits\n' +
      'for the passphrase, and none of your other programs can get at the vault’s key.\n',
  );
  return askYes(call, 'Stop unlocking with the keychain?');
}

function lockText(ways: readonly SlotKind[]): string {
  return ways.includes('keychain')
    ? 'It is asked after lanyard lock; at a start the keychain opens the vault, too.'
    : 'It is asked after each start and each lanyard lock.';
}

/** `lanyard passphrase change [--old-passphrase-file FILE | --recovery-key] [--passphrase-file FILE] [--without-keychain]` */
export function passphraseChangeCommand({ vault, recorder }: PassphraseCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('passphrase change', call.args, [], {
      'old-passphrase-file': { type: 'string' },
      'recovery-key': { type: 'boolean' },
      'passphrase-file': { type: 'string' },
      'without-keychain': { type: 'boolean' },
    });
    needPassphrase(vault);
    call.terminal.extend(600);
    const proof = await askProof(
      call,
      values['recovery-key'],
      values['old-passphrase-file'],
      'Old passphrase',
      '--old-passphrase-file',
    );
    // Checked first: the user shouldn't have to think of a new one twice because of a slip in the old one.
    const own = proof.passphrase ? await vault.checkPassphrase(proof.passphrase) : null;
    if (own && !own.ok) {
      return refusalAnswer(own);
    }
    const fromFile = await passphraseIn(call, values['passphrase-file']);
    const passphrase = fromFile ? goodPassphrase(fromFile) : await askNewPassphrase(call, 'New passphrase');
    const withoutKeychain = values['without-keychain'] === true;
    const outcome = await vault.changePassphrase(proof, { passphrase, withoutKeychain });
    if (!outcome.ok) {
      return refusalAnswer(outcome);
    }
    recorder.record({ kind: 'change', what: 'passphrase.change', name: null });
    return done(undefined, `The passphrase is changed. ${lockText(waysOf(vault))}`);
  };
}

/** `lanyard passphrase remove [--passphrase-file FILE | --recovery-key]` */
export function passphraseRemoveCommand({ vault, recorder }: PassphraseCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('passphrase remove', call.args, [], {
      'passphrase-file': { type: 'string' },
      'recovery-key': { type: 'boolean' },
    });
    needPassphrase(vault);
    call.terminal.extend(600);
    const proof = await askProof(call, values['recovery-key'], values['passphrase-file'], 'Passphrase');
    const outcome = await vault.removePassphrase(proof);
    if (!outcome.ok) {
      return refusalAnswer(outcome);
    }
    recorder.record({ kind: 'change', what: 'passphrase.remove', name: null });
    return done(undefined, 'Passphrase removed. The keychain opens the vault: one click unlocks it.');
  };
}

/** `lanyard recovery-key create [--replace]`: shown once, on the controlling terminal and nowhere else. */
export function recoveryKeyCreateCommand({ vault, recorder }: PassphraseCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('recovery-key create', call.args, [], { replace: { type: 'boolean' } });
    const ways = waysOf(vault);
    if (ways.includes('recoveryKey') && !values.replace) {
      throw new BrokerError('vault.recoveryKey.exists', 'the vault has a recovery key already', {
        reason: 'usage',
        hint: 'make another one, which ends the old one: lanyard recovery-key create --replace',
      });
    }
    if (!call.terminal.canPrompt) {
      throw new BrokerError('recoveryKey.noTerminal', 'a recovery key is shown at a terminal alone', {
        reason: 'notPermitted',
        hint: 'run it at a terminal',
      });
    }
    call.terminal.extend(900);
    const passphrase = ways.includes('passphrase') ? await askPassphrase(call, undefined, null) : undefined;
    // Before anybody writes a key down that then opens nothing.
    const own = passphrase && (await vault.checkPassphrase(passphrase));
    if (own && !own.ok) {
      return refusalAnswer(own);
    }
    const recoveryKey = newRecoveryKey();
    const shown = recoveryKey.reveal();
    // A question goes to the terminal itself, wherever standard error leads; it counts only once it is on paper.
    const last = await call.terminal.ask(
      `The vault’s recovery key, which opens it without keychain and passphrase:\n\n    ${shown}\n\n` +
        'Write it down and keep it away from this machine; it is not shown again.\n' +
        'Type its last group to go on: ',
      { echo: true },
    );
    if (last?.reveal().trim().toUpperCase() !== shown.slice(shown.lastIndexOf('-') + 1)) {
      throw new BrokerError(
        'recoveryKey.notWrittenDown',
        'that is not its last group; no recovery key was made',
        {
          reason: 'denied',
        },
      );
    }
    const outcome = await vault.addRecoveryKey({ recoveryKey, passphrase, replace: values.replace === true });
    if (!outcome.ok) {
      return refusalAnswer(outcome);
    }
    recorder.record({ kind: 'change', what: 'recoveryKey.create', name: null });
    return done(undefined, 'The recovery key opens the vault from now on: lanyard unlock --recovery-key');
  };
}

/** Throws `vault.locked` where the vault isn't open: before anything is typed. */
function waysOf(vault: PassphraseCommandDeps['vault']): readonly SlotKind[] {
  vault.read();
  const state = vault.state();
  return state.kind === 'open' ? state.slots : [];
}

function needPassphrase(vault: PassphraseCommandDeps['vault']): void {
  if (!waysOf(vault).includes('passphrase')) {
    throw new BrokerError('vault.passphrase.none', 'the vault has no passphrase', {
      reason: 'usage',
      hint: 'lanyard passphrase set',
    });
  }
}

async function askProof(
  call: CommandCall,
  byRecoveryKey: boolean | undefined,
  file: string | undefined,
  what: string,
  option: '--passphrase-file' | '--old-passphrase-file' = '--passphrase-file',
): Promise<Opener> {
  if (byRecoveryKey) {
    return { recoveryKey: await askRecoveryKey(call) };
  }
  return { passphrase: (await passphraseIn(call, file)) ?? (await askPassphrase(call, what, option)) };
}
