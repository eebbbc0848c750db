import { toRefusal } from '../../contract/broker-error.ts';
import type { OidcAccountConfig } from '../../contract/config.ts';
import type { Obtained } from '../../ports/account.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Session, Vault } from '../../ports/vault.ts';
import type { Provider } from './provider.ts';
import { credentialOf, heldToken, replaceSession, sessionOf } from './session.ts';

export interface RefreshDeps {
  name: string;
  config: OidcAccountConfig;
  provider: Provider;
  vault: Pick<Vault, 'read' | 'update'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
  isCurrent(): boolean;
  /** An answer that could not be written (a full disk): the next call writes it first. */
  unsaved: UnsavedAnswer;
}

export interface UnsavedAnswer {
  save: (() => Promise<unknown>) | null;
}

/** Writes what came with an answer. Where the disk doesn't take it, it is kept for the next call. */
export async function saveAnswer(
  deps: RefreshDeps,
  started: Session,
  next: (session: Session) => Session,
): Promise<void> {
  const write = () => replaceSession(deps.vault, deps.name, started, next);
  try {
    await write();
  } catch (error) {
    const { reason } = toRefusal(error);
    deps.unsaved.save = reason === 'locked' || reason === 'loginNeeded' ? null : write;
    throw error;
  }
}

/** Writes an answer that was kept. Null: there is nothing to hand out from it, so a renewal is due. */
export async function saveLate(deps: RefreshDeps, write: () => Promise<unknown>): Promise<Obtained | null> {
  const { name, config, vault, clock, unsaved } = deps;
  try {
    await write();
    unsaved.save = null;
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal.reason !== 'loginNeeded') {
      return refusal;
    }
    // Another login has taken the session's place: the answer is nobody's.
    unsaved.save = null;
  }
  const session = sessionOf(vault.read(), name, config);
  const token = session && heldToken(session, clock.now());
  return token && deps.isCurrent() ? { ok: true, credential: credentialOf(token) } : null;
}
