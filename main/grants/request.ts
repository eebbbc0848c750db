import type { Refusal } from '../contract/refusal.ts';
import type { Target } from '../domain/target/target.ts';
import type { Attendant, CredentialRequest, LoginPrompter, LoginWish } from '../ports/account.ts';
import type { Grant } from './grant.ts';

export interface Recipient {
  client: string;
  target: Target;
  /** The client is client-go: it asks again before the stated expiry only after a 401. */
  onlyAfter401: boolean;
}

export interface GrantRequest {
  /** Where the credential goes. */
  target: Target;
  /** The client and the target, which an inferred 401 goes by (rule: inferred-401). Null: unknown. */
  recipient: Recipient | null;
  /** What may shape the credential; absent: an account with shaped credentials can't serve it. */
  asking?: CredentialRequest | undefined;
  /** The caller as one that may run a plugin, and sees its output. */
  attendant?: Attendant | undefined;
  /** The user is at the caller's terminal: a login may begin, and be shown there. */
  prompter: LoginPrompter | null;
  /** Who sees that login: the client, also where the credential is for others, too. Absent or null: unknown. */
  requester?: string | null | undefined;
  wish: LoginWish;
  /**
   * Names of the caller and of the programs above it, nearest first, for telling the user; absent: the user can't be
   * told.
   */
  wantedBy?: (() => readonly string[]) | undefined;
  /**
   * Called where the answer takes longer: the caller tells its helper to wait. `pending`: for a login that is shown
   * elsewhere.
   */
  onWait(reason: 'renewal' | 'plugin' | 'login' | 'wanted' | 'pending'): void;
  signal: AbortSignal;
}

/** A request under way, and the account's state when it came: see CachedGrants.epoch. */
export type Begun = GrantRequest & { epoch: number };

export type Granted = { ok: true; grant: Grant; how: 'held' | 'renewed' | 'loggedIn' } | Refusal;
