import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import type { Recorder } from '../../../ports/history.ts';
import type { VaultState } from '../../../ports/vault.ts';
import type { Unlocked } from '../../../vault/index.ts';
import type { UiHandlers } from '../handlers.ts';

export interface LockCallsDeps {
  lock: { close(why: 'command'): Promise<void>; settled(): Promise<void> };
  vault: {
    state(): VaultState;
    unlock(options: Record<string, never>): Promise<Unlocked>;
    retry(): Promise<void>;
  };
  recorder: Recorder;
  /** The vault has just been opened or made. */
  onOpened(): Promise<void>;
}

/** Locks, and unlocks where no secret is typed for it: the gate by a click, the keychain by asking it again. */
export function createLockCalls(deps: LockCallsDeps): Pick<UiHandlers, 'lock.close' | 'lock.open'> {
  return {
    'lock.close': async () => {
      await deps.lock.close('command');
      return {};
    },
    'lock.open': async () => {
      await deps.lock.settled();
      const state = deps.vault.state();
      if (state.kind === 'none') {
        await deps.vault.retry();
        if (deps.vault.state().kind !== 'open') {
          throw needsPassphrase('there is no vault yet, and the keychain can’t hold its key');
        }
      } else if (state.kind !== 'open') {
        const outcome = await deps.vault.unlock({});
        if (!outcome.ok) {
          throw state.kind === 'broken' ? refusalError(outcome) : needsPassphrase(outcome.message);
        }
        if (outcome.keychain?.repaired) {
          deps.recorder.record({ kind: 'change', what: 'keychain.repair', name: null });
        }
      }
      await deps.onOpened();
      return {};
    },
  };
}

function needsPassphrase(message: string): BrokerError {
  return new BrokerError('unlock.passphrase', message, {
    reason: 'locked',
    hint: 'run in a terminal: lanyard unlock',
  });
}
