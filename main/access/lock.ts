import type { Disposable } from '../base/disposables.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { Grants } from '../grants/grants.ts';
import type { Logins } from '../grants/logins.ts';
import type { Recorder } from '../ports/history.ts';
import type { Vault, VaultState } from '../ports/vault.ts';
import { refusalOf, type VaultControl } from '../vault/index.ts';

/** How long the answers under way that the vault keeps may take before the key leaves memory, in milliseconds. */
const drainMilliseconds = 10_000;

export type LockReason = 'command' | 'idle' | 'screen';

const reasons: Readonly<Record<LockReason, string>> = {
  command: 'it was locked by you',
  idle: 'nothing was asked of it for the time that config.yaml says (lock.afterIdle)',
  screen: 'the screen was locked, and config.yaml says to lock with it (lock.withScreen)',
};

export interface LockDeps {
  vault: Pick<Vault, 'state'> & Pick<VaultControl, 'lock'>;
  grants: Pick<Grants, 'drain' | 'forgetAll'>;
  logins: Pick<Logins, 'cancelAll'>;
  recorder: Recorder;
  /** Questions to the user and their answers end with the lock. */
  questions: readonly { lock(refusal: Refusal): void }[];
}

/** The lock over all doors: while it is closed, none issues anything (rule: locked-issues-nothing). */
export interface Lock {
  /** Why nothing is issued now; null while it is open. */
  gate(): Refusal | null;
  /** The vault, as all who ask see it: locked from the moment that the lock closes. */
  state(): VaultState;
  /** Closes immediately for all who ask or wait, lets the vault keep what is under way, then closes it. */
  close(why: LockReason): Promise<void>;
  /** Resolves when no closing is under way any more: an unlock before that would be locked again. */
  settled(): Promise<void>;
}

export function createLock(deps: LockDeps): Lock {
  let closing: LockReason | null = null;
  const gate = () => (closing ? closingRefusal(closing) : refusalFor(deps.vault.state()));
  const closeNow = async (why: LockReason) => {
    if (gate() === null) {
      deps.recorder.record({ kind: 'lock', what: 'locked', why });
    }
    closing = why;
    try {
      for (const question of deps.questions) {
        question.lock(closingRefusal(why));
      }
      deps.logins.cancelAll('lanyard was locked');
      await deps.grants.drain(drainMilliseconds);
      await deps.vault.lock(reasons[why]);
      deps.grants.forgetAll();
    } finally {
      closing = null;
    }
  };
  let running: Promise<void> | null = null;
  return {
    gate,
    state: () => stateWhile(closing, deps.vault.state()),
    close(why) {
      running ??= closeNow(why).finally(() => {
        running = null;
      });
      return running;
    },
    settled: async () => running?.catch(() => undefined),
  };
}

/** Records the vault's state at the start, and each time that it opens; `onOpened` is called for the latter. */
export function watchOpenings(
  vault: Pick<VaultControl, 'state' | 'onChange'>,
  recorder: Recorder,
  onOpened: () => void,
): Disposable {
  let open = vault.state().kind === 'open';
  recorder.record({ kind: 'lock', what: open ? 'unlocked' : 'locked', why: 'start' });
  return vault.onChange(() => {
    const before = open;
    open = vault.state().kind === 'open';
    if (open && !before) {
      recorder.record({ kind: 'lock', what: 'unlocked', why: 'command' });
      onOpened();
    }
  });
}

function stateWhile(closing: LockReason | null, state: VaultState): VaultState {
  return closing && state.kind === 'open'
    ? {
        kind: 'locked',
        how: state.slots.includes('keychain') ? 'gate' : 'passphrase',
        reason: `${reasons[closing]} (it is still locking)`,
        ways: state.slots,
      }
    : state;
}

function closingRefusal(why: LockReason): Refusal {
  return refuse('locked', 'lock.closing', `lanyard is being locked: ${reasons[why]}`, 'run: lanyard unlock');
}

function refusalFor(state: VaultState): Refusal | null {
  return state.kind === 'open' ? null : refusalOf(state);
}
