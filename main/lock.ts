import { type Refusal, refuse } from './contract/refusal.ts';
import type { Grants } from './grants/grants.ts';
import type { Logins } from './grants/logins.ts';
import type { Vault, VaultState } from './ports/vault.ts';
import { refusalOf } from './vault/index.ts';

/** Refreshes under way get this long to end before the key leaves memory. */
const drainMilliseconds = 10_000;

export interface LockDeps {
  vault: Pick<Vault, 'state'> & { lock(): void | Promise<void> };
  grants: Pick<Grants, 'drain' | 'forgetAll'>;
  logins: Pick<Logins, 'cancelAll'>;
}

/** The lock over all doors: closed, none hands anything out. */
export interface Lock {
  /** Why nothing is handed out now; null while it is open. */
  gate(): Refusal | null;
  /** Closes at once for new requests, drains what is under way, then closes the vault. */
  close(): Promise<void>;
}

export function createLock(deps: LockDeps): Lock {
  let closing = false;
  return {
    gate: () =>
      closing ? refuse('locked', 'lock.closing', 'lanyard is being locked') : refusalFor(deps.vault.state()),
    async close() {
      closing = true;
      try {
        deps.logins.cancelAll('lanyard was locked');
        await deps.grants.drain(drainMilliseconds);
        await deps.vault.lock();
        deps.grants.forgetAll();
      } finally {
        closing = false;
      }
    },
  };
}

function refusalFor(state: VaultState): Refusal | null {
  return state.kind === 'open' ? null : refusalOf(state);
}
