import { Secret } from '../../../base/secret.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import { sentence } from '../../../contract/ui/sentence.ts';
import type { LoadedConfig } from '../../../domain/loaded-config.ts';
import type { SeenPrograms } from '../../../domain/program/program-check.ts';
import { bindingsOf } from '../../../domain/program/program-check.ts';
import { type ConfirmDeps, type Waiting, whatWouldCount } from '../../../operations/confirm.ts';
import { summaryOf, waitingTexts } from '../../../operations/waiting-items.ts';
import type { Recorder } from '../../../ports/history.ts';
import type { VaultState } from '../../../ports/vault.ts';
import { type Opener, passphraseFault, type Unlocked, type VaultChanged } from '../../../vault/index.ts';
import type { Submitted, WindowField, WindowKind } from '../window-kind.ts';

export interface UnlockWindowDeps extends Pick<ConfirmDeps, 'config' | 'look'> {
  lock: { settled(): Promise<void> };
  vault: {
    state(): VaultState;
    unlock(opener: Opener): Promise<Unlocked>;
    createWithPassphrase(passphrase: Secret): Promise<VaultChanged>;
    retry(): Promise<void>;
  };
  recorder: Recorder;
  /** The vault was just opened or made; `seen` and `programs`: what the user was shown for that. */
  onOpened(seen?: LoadedConfig, programs?: SeenPrograms): Promise<void>;
}

const passphrase: WindowField = {
  name: 'passphrase',
  label: 'Passphrase',
  kind: 'password',
  autocomplete: 'current-password',
};

/** Opens the vault, or makes the first one. Throws BrokerError where neither is possible. */
export async function unlockWindow(deps: UnlockWindowDeps): Promise<WindowKind> {
  await deps.lock.settled();
  const state = deps.vault.state();
  switch (state.kind) {
    case 'open':
      throw new BrokerError('unlock.open', 'lanyard is not locked', { reason: 'usage' });
    case 'broken':
      throw new BrokerError(state.code, state.reason, { reason: 'locked', hint: state.hint });
    case 'none':
      return makeWindow(deps, await whatWouldCount(deps));
    case 'locked':
      return openWindow(deps, state);
  }
}

function openWindow(deps: UnlockWindowDeps, state: Extract<VaultState, { kind: 'locked' }>): WindowKind {
  const asks =
    state.how === 'passphrase' || (state.how === 'keychain' && state.ways?.includes('passphrase') === true);
  return {
    title: 'Unlock',
    content: {
      heading: 'Unlock Lanyard',
      text: [sentence(state.reason)],
      ...(asks && { fields: [passphrase], enter: 'yes' as const }),
      yes: 'Unlock',
      no: 'Cancel',
    },
    // A passphrase is proof enough.
    ...(state.how === 'gate' && { person: { for: 'unlock' as const, reason: 'unlock' } }),
    over: async () => overText(deps, 'locked'),
    async submit({ passphrase: typed }) {
      if (asks && (!typed || typed.isEmpty)) {
        return { kind: 'again', fault: 'No passphrase was given.' };
      }
      const outcome = await deps.vault.unlock(asks && typed ? { passphrase: typed } : {});
      if (!outcome.ok) {
        return notOpened(outcome);
      }
      await deps.onOpened();
      if (outcome.keychain?.repaired) {
        deps.recorder.record({ kind: 'change', what: 'keychain.repair', name: null });
      }
      return opened('Lanyard is unlocked');
    },
    refuse: async () => stayed('Lanyard stays locked'),
  };
}

function makeWindow(deps: UnlockWindowDeps, counting: Waiting): WindowKind {
  const texts = waitingTexts(counting);
  const made = async () => {
    await deps.onOpened(counting.seen, bindingsOf(counting.found));
    return opened('Vault created');
  };
  return {
    title: 'Create vault',
    content: {
      heading: 'A passphrase for your vault',
      text: [
        'Lanyard stores tokens and keys in one encrypted file. You can’t open the vault without this passphrase, and a lost passphrase can’t be recovered.',
        ...(texts.length === 0
          ? []
          : [
              `config.yaml has what is listed below. Creating the vault approves all of it: where credentials go, and which programs run for them. ${summaryOf(counting)}`,
            ]),
      ],
      changes: texts,
      fields: [
        {
          ...passphrase,
          label: 'New passphrase',
          hint: 'At least 8 characters. A few random words work best.',
          autocomplete: 'new-password',
        },
        { name: 'again', label: 'Confirm passphrase', kind: 'password', autocomplete: 'new-password' },
      ],
      enter: 'yes',
      yes: 'Create vault',
      no: 'Cancel',
      more: {
        label: 'Or use the keychain',
        answers: [{ answer: 'keychain', label: 'Use the keychain' }],
      },
    },
    over: async () =>
      deps.config.current() === counting.seen
        ? overText(deps, 'none')
        : 'config.yaml has changed meanwhile. Request this window again.',
    async submit({ passphrase: typed = new Secret(''), again = new Secret('') }, answer) {
      if (answer === 'keychain') {
        await deps.vault.retry();
        const now = deps.vault.state();
        return now.kind === 'none' ? { kind: 'again', fault: sentence(now.reason) } : made();
      }
      const fault = passphraseFault(typed);
      if (fault) {
        return { kind: 'again', fault: sentence(fault.message) };
      }
      if (typed.reveal() !== again.reveal()) {
        return { kind: 'again', fault: 'The passphrases don’t match.' };
      }
      const outcome = await deps.vault.createWithPassphrase(typed);
      return outcome.ok ? made() : notOpened(outcome);
    },
    refuse: async () => stayed('No vault created'),
  };
}

function overText({ vault }: UnlockWindowDeps, kind: VaultState['kind']): string | null {
  const now = vault.state().kind;
  if (now === kind) {
    return null;
  }
  return now === 'open' ? 'Lanyard was unlocked elsewhere.' : 'The vault has changed meanwhile.';
}

function notOpened({ code, message, hint }: Refusal): Submitted {
  if (code === 'vault.passphrase.wrong') {
    return { kind: 'again', fault: sentence(message) };
  }
  const text = [sentence(message), ...(hint === undefined ? [] : [sentence(hint)])];
  return { kind: 'done', good: false, heading: 'Still locked', text };
}

function opened(heading: string): Submitted {
  return { kind: 'done', good: true, heading, text: ['You can continue where you left off.'] };
}

function stayed(heading: string): Submitted {
  return { kind: 'done', good: false, heading, text: ['Nothing was changed.'] };
}
