import type { Refusal } from '../contract/refusal.ts';
import type { Target } from '../domain/target/target.ts';
import type { Attendant, CredentialRequest, LoginPrompter, LoginWish } from '../ports/account.ts';
import type { Grant } from './grant.ts';

export interface Recipient {
  client: string;
  target: Target;
  /** The client is client-go: it asks again before the end that it was told only where it was told 401. */
  onlyAfter401: boolean;
}

export interface GrantRequest {
  /** Where the credential goes. */
  target: Target;
  /**
   * Who gets it, and where it will be shown: what an inferred 401 goes by (rule: inferred-401). Null: nobody can tell.
   */
  recipient: Recipient | null;
  /** What may shape the credential; not there: nothing that an account whose credentials are shaped could serve. */
  asking?: CredentialRequest | undefined;
  /** The caller as one who may run a plugin, and sees what it says. */
  attendant?: Attendant | undefined;
  /** Somebody is at the caller's terminal: a login may be begun, and be shown there. */
  prompter: LoginPrompter | null;
  wish: LoginWish;
  /** Names of the caller and of the programs above it, nearest first, for who is told; not there: nobody is at hand. */
  wantedBy?: (() => readonly string[]) | undefined;
  /**
   * Called where the answer takes longer: the caller tells its helper to wait. `pending`: for a login that is shown to
   * somebody else.
   */
  onWait(reason: 'renewal' | 'plugin' | 'login' | 'wanted' | 'pending'): void;
  signal: AbortSignal;
}

/** A request under way, and how the account was when it came: see CachedGrants.epoch. */
export type Begun = GrantRequest & { epoch: number };

export type Granted = { ok: true; grant: Grant; how: 'held' | 'renewed' | 'loggedIn' } | Refusal;
