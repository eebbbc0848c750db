import { createAllowance } from '../../../base/allowance.ts';
import type { UserGate } from '../../../consent/windows/user-gate.ts';
import type { WantedWindow } from '../../../consent/windows/window-kinds.ts';
import type { Windows } from '../../../consent/windows/windows.ts';
import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Recorder } from '../../../ports/history.ts';
import type { VaultState } from '../../../ports/vault.ts';
import type { Unlocked } from '../../../vault/index.ts';
import type { UiHandlers } from '../handlers.ts';

/** A user who is asked for a finger again and again gives in, so the questions are limited. */
const mayAsk = { atOnce: 4, perSecond: 1 / 15 };

export interface LockCallsDeps {
  clock: Pick<Clock, 'boottime'>;
  lock: { close(why: 'command'): Promise<void>; settled(): Promise<void> };
  vault: {
    state(): VaultState;
    unlock(options: Record<string, never>): Promise<Unlocked>;
    retry(): Promise<void>;
  };
  recorder: Recorder;
  person: UserGate;
  windows: Pick<Windows, 'decidesAll' | 'open'>;
  /** The window that unlocks the vault, or makes one. Throws BrokerError. */
  unlockWindow(): Promise<WantedWindow>;
  /** Called after the vault was opened or made. */
  onOpened(): Promise<void>;
}

/** Locks, and unlocks where no secret has to be typed: a gate by a click, the keychain by trying it again. */
export function createLockCalls(deps: LockCallsDeps): Pick<UiHandlers, 'lock.close' | 'lock.open'> {
  const allowance = createAllowance(mayAsk, deps.clock);
  let opening: Promise<Record<string, never>> | null = null;

  async function open(): Promise<Record<string, never>> {
    await deps.lock.settled();
    if (asksPerson(deps) && !allowance.take(1)) {
      throw new BrokerError('unlock.tooOften', 'it was asked for too often', {
        reason: 'notPermitted',
        hint: 'wait half a minute, or run in a terminal: lanyard unlock',
      });
    }
    if (deps.windows.decidesAll && !(await isAllowed(deps))) {
      return {};
    }
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
  }

  return {
    'lock.close': async () => {
      await deps.lock.close('command');
      return {};
    },
    // One at a time: each could make the system ask the user.
    'lock.open': () => {
      opening ??= open().finally(() => {
        opening = null;
      });
      return opening;
    },
  };
}

/** Whether the system or its keychain may ask the user: always, except for a gate that a click opens. */
function asksPerson({ vault, windows }: LockCallsDeps): boolean {
  const state = vault.state();
  return state.kind !== 'open' && (windows.decidesAll || !(state.kind === 'locked' && state.how === 'gate'));
}

/**
 * In the desktop app, a page alone opens no gate and makes no vault. The system checks the user, or one of the broker’s
 * own windows does, and then does the rest.
 */
async function isAllowed({ vault, person, windows, unlockWindow }: LockCallsDeps): Promise<boolean> {
  const state = vault.state();
  const isGate = state.kind === 'locked' && state.how === 'gate';
  if (!isGate && state.kind !== 'none') {
    return true;
  }
  const said = isGate ? await person.ask('unlock', 'unlock') : 'unasked';
  if (said === 'no') {
    throw new BrokerError('unlock.person', 'the system didn’t find that it is you: Lanyard stays locked', {
      reason: 'denied',
      hint: 'try once more, or run in a terminal: lanyard unlock',
    });
  }
  if (said === 'yes') {
    return true;
  }
  const { kind, command } = await unlockWindow();
  await windows.open(kind, command);
  return false;
}

function needsPassphrase(message: string): BrokerError {
  return new BrokerError('unlock.passphrase', message, {
    reason: 'locked',
    hint: 'run in a terminal: lanyard unlock',
  });
}
