import { IdleLock } from '../access/idle-lock.ts';
import { createLock, type Lock } from '../access/lock.ts';
import { lockWithScreen } from '../access/screen-lock.ts';
import type { Disposables } from '../base/disposables.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { Gate } from '../ports/broker-core.ts';
import type { BrokerDeps } from './broker-deps.ts';
import type { Consent } from './consent.ts';
import type { Credentials } from './credentials.ts';
import type { Records } from './records.ts';
import type { Served } from './served.ts';

/** The lock over all doors, and what closes it. */
export interface Locking {
  lock: Lock;
  idleLock: IdleLock;
  gate: Gate;
}

export function createLocking(
  { vault, clock, log, events }: BrokerDeps,
  { bindings }: Served,
  { recorder }: Records,
  { grants, logins, tokens }: Credentials,
  { approvals, unknownServers }: Consent,
  /** The request proxy, made later: its ways in end with the lock. */
  proxy: { lock(refusal: Refusal): void },
  disposables: Disposables,
): Locking {
  const questions = [approvals, unknownServers, proxy, tokens, grants];
  const lock = createLock({ vault, grants, logins, recorder, questions });
  const idleLock = disposables.add(new IdleLock({ clock, log, lock, limit: () => bindings.idleLimit() }));
  disposables.add(lockWithScreen({ events, lock, isWanted: () => bindings.locksWithScreen(), log }));
  return { lock, idleLock, gate: () => idleLock.gate() };
}
