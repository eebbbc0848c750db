import type { Secret } from '../../../base/secret.ts';
import { toRefusal } from '../../../contract/broker-error.ts';
import type { OidcAccountConfig } from '../../../contract/config/accounts/oidc.ts';
import type { Obtained } from '../../../ports/account.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log.ts';
import type { Session, Vault } from '../../../ports/vault.ts';
import { discard } from '../logout/discard.ts';
import type { Provider } from '../provider/provider.ts';
import { credentialOf, replaceSession, sessionOf, validToken } from '../session.ts';

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
  /** The refresh token in it, which the one on disk was used up for. */
  refreshToken: Secret | null;
}

/**
 * Writes what came with an answer, `refreshToken` among it where it is a new one. Where the disk doesn't take it, it
 * is kept for the next call (rule: nothing-lost).
 */
export async function saveAnswer(
  deps: RefreshDeps,
  started: Session,
  next: (session: Session) => Session,
  refreshToken: Secret | null,
): Promise<void> {
  const write = () => replaceSession(deps.vault, deps.name, started, next);
  try {
    await write();
  } catch (error) {
    const { reason } = toRefusal(error);
    const isLost = reason === 'locked' || reason === 'loginNeeded';
    deps.unsaved.save = isLost ? null : write;
    deps.unsaved.refreshToken = isLost ? null : refreshToken;
    if (reason === 'loginNeeded') {
      const token = refreshToken && ({ token: refreshToken, hint: 'refresh_token' } as const);
      await discard(deps, { token, subject: started.subject });
    }
    throw error;
  }
}

/** Writes an answer that was kept. Null: nothing can be issued from it, so a renewal is due. */
export async function saveLate(deps: RefreshDeps, write: () => Promise<unknown>): Promise<Obtained | null> {
  const { name, config, vault, clock, unsaved } = deps;
  try {
    await write();
    unsaved.save = null;
    unsaved.refreshToken = null;
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal.reason !== 'loginNeeded') {
      return refusal;
    }
    // Another login has replaced the session: the answer is not used.
    unsaved.save = null;
    unsaved.refreshToken = null;
  }
  const session = sessionOf(vault.read(), name, config);
  const token = session && validToken(session, clock.now());
  return token && deps.isCurrent() ? { ok: true, credential: credentialOf(token) } : null;
}
