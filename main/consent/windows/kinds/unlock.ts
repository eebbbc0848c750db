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
    return opened('The vault is made');
  };
  return {
    title: 'Make the vault',
    content: {
      heading: 'A passphrase for your vault',
      text: [
        'Lanyard keeps tokens and keys in one encrypted file. You can’t open the vault without this passphrase, and a lost passphrase can’t be recovered.',
        ...(texts.length === 0
          ? []
          : [
              `config.yaml has what is listed below. Making the vault approves all of it: where credentials go, and which programs run for them. ${summaryOf(counting)}`,
            ]),
      ],
      changes: texts,
      fields: [
        {
          ...passphrase,
          label: 'New passphrase',
          hint: 'Eight characters at least; a few words are better.',
          autocomplete: 'new-password',
        },
        { name: 'again', label: 'Once more', kind: 'password', autocomplete: 'new-password' },
      ],
      enter: 'yes',
      yes: 'Make the vault',
      more: {
        label: 'Or without a passphrase',
        answers: [{ answer: 'keychain', label: 'Keep its key in the keychain' }],
      },
    },
    over: async () =>
      deps.config.current() === counting.seen
        ? overText(deps, 'none')
        : 'config.yaml has changed meanwhile: ask for this window again.',
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
        return { kind: 'again', fault: 'The two were not the same.' };
      }
      const outcome = await deps.vault.createWithPassphrase(typed);
      return outcome.ok ? made() : notOpened(outcome);
    },
    refuse: async () => stayed('No vault was made'),
  };
}

function overText({ vault }: UnlockWindowDeps, kind: VaultState['kind']): string | null {
  const now = vault.state().kind;
  if (now === kind) {
    return null;
  }
  return now === 'open' ? 'Lanyard was unlocked elsewhere.' : 'The vault is not as it was.';
}

function notOpened({ code, message, hint }: Refusal): Submitted {
  if (code === 'vault.passphrase.wrong') {
    return { kind: 'again', fault: sentence(message) };
  }
  const text = [sentence(message), ...(hint === undefined ? [] : [sentence(hint)])];
  return { kind: 'done', good: false, heading: 'It stays locked', text };
}

function opened(heading: string): Submitted {
  return { kind: 'done', good: true, heading, text: ['Go on where you were.'] };
}

function stayed(heading: string): Submitted {
  return { kind: 'done', good: false, heading, text: ['Nothing was changed.'] };
}
