import type { Caller } from './caller.ts';

/** One decision of a door. Never a secret, a command line or a query string. */
export interface AuditEntry {
  door: string;
  caller: Caller;
  account: string;
  cluster: string | null;
  decision: 'handedOut' | 'refused';
  /** A refusal's code, or how the credential was come by: `held`, `renewed`, `loggedIn`. */
  reason: string;
  /** Counts the renewals of this grant since the broker started; null for a refusal. */
  generation: number | null;
}

/** Each hand-out is recorded before it leaves (rule 11). Throws where it can't be: nothing is handed out then. */
export interface Audit {
  record(entry: AuditEntry): void;
}
